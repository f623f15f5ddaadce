#pragma once
typedef unsigned long NSUInteger; typedef long NSInteger;
#if __OBJC_BOOL_IS_BOOL
typedef _Bool BOOL;
#else
typedef signed char BOOL;
#endif
#define YES ((BOOL)1)
#define NO ((BOOL)0)
#define NS_ASSUME_BEGIN _Pragma("clang assume_nonnull begin")
#define NS_ASSUME_END _Pragma("clang assume_nonnull end")
#define SENDABLE __attribute__((swift_attr("@Sendable")))
#define NONSENDABLE __attribute__((swift_attr("@_nonSendable")))
#define UI_ACTOR __attribute__((swift_attr("@UIActor")))
#define NAMED(x) __attribute__((swift_name(#x)))
#define ENUM(t, n) ENUM_OF(enum __attribute__((enum_extensibility(open))), t, n)
#define OPTIONS(t, n) ENUM_OF(enum __attribute__((flag_enum, enum_extensibility(open))), t, n)
#define ENUM_OF(kind, t, n) kind n : t n; kind n : t
#define SINCE(m, i, t, w) FROM(macos, m) FROM(ios, i) FROM(tvos, t) FROM(watchos, w)
#define FROM(system, version) __attribute__((availability(system, introduced=version)))
#define EXTENSIBLE_STRINGS __attribute__((swift_newtype(struct)))
@class NSString, NSMethodSignature;
NS_ASSUME_BEGIN
@protocol NSObject
- (BOOL)isEqual:(nullable id)object;
@property (readonly) NSUInteger hash;
- (BOOL)respondsToSelector:(null_unspecified SEL)aSelector NAMED(responds(to:));
- (instancetype)self;
@end
__attribute__((objc_root_class))
@interface NSObject <NSObject>
- (instancetype)init;
+ (instancetype)alloc __attribute__((availability(swift, unavailable, message="use object initializers instead")));
- (id)copy;
- (null_unspecified id)forwardingTargetForSelector:(null_unspecified SEL)aSelector NAMED(forwardingTarget(for:));
@property (readonly, copy) NSString *description;
@end
NS_ASSUME_END
