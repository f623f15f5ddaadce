#pragma once
// Hand-written from Apple's public documentation: what the package uses of Foundation.
#include "../CoreFoundation.h"
#include "../Darwin.h"
#include "../ObjectiveC.h"

#define BRIDGED(x) __attribute__((swift_bridge(x)))

NS_ASSUME_BEGIN
typedef double NSTimeInterval NAMED(TimeInterval);
BRIDGED("Swift.String") SENDABLE @interface NSString : NSObject
- (instancetype)initWithString:(NSString *)s;
@end

BRIDGED("Swift.Array") @interface NSArray<__covariant ObjectType> : NSObject
- (instancetype)initWithArray:(NSArray<ObjectType> *)d;
@end

BRIDGED("Swift.Dictionary") @interface NSDictionary<__covariant KeyType, __covariant ObjectType> : NSObject
- (instancetype)initWithDictionary:(NSDictionary<KeyType, ObjectType> *)d;
@end

@interface NSMutableDictionary<KeyType, ObjectType> : NSDictionary<KeyType, ObjectType>
- (instancetype)initWithDictionary:(NSDictionary<KeyType, ObjectType> *)d;
@end

BRIDGED("Swift.Set") @interface NSSet<__covariant ObjectType> : NSObject @end
BRIDGED("Foundation.Data") SENDABLE @interface NSData : NSObject @end
BRIDGED("Foundation.Date") SENDABLE @interface NSDate : NSObject @end
BRIDGED("Foundation.URL") SENDABLE @interface NSURL : NSObject @end
BRIDGED("Foundation.UUID") SENDABLE @interface NSUUID : NSObject @end
BRIDGED("Foundation.CharacterSet") @interface NSCharacterSet : NSObject @end
BRIDGED("Foundation.DateInterval") SENDABLE @interface NSDateInterval : NSObject @end
BRIDGED("Foundation.URLRequest") SENDABLE @interface NSURLRequest : NSObject @end
SENDABLE @interface NSValue : NSObject @end
@interface NSNumber : NSValue
@property (readonly) NSInteger integerValue NAMED(intValue);
@property (readonly) long long longLongValue NAMED(int64Value);
- (instancetype)initWithInteger:(NSInteger)value NAMED(init(value:));
- (instancetype)initWithBool:(BOOL)value NAMED(init(value:));
- (instancetype)initWithDouble:(double)value NAMED(init(value:));
@property (readonly) BOOL boolValue;
@property (readonly) double doubleValue;
@property (readonly, copy) NSString *stringValue;
@end

SENDABLE @interface NSNull : NSObject @end
BRIDGED("Swift.Error") SENDABLE @interface NSError : NSObject
- (instancetype)initWithDomain:(NSString *)domain code:(NSInteger)code
    userInfo:(nullable NSDictionary<NSString *, id> *)dict;
@property (readonly) NSInteger code;
@property (readonly, copy) NSString *domain, *localizedDescription;
@end

typedef NSString *NSErrorUserInfoKey;
extern NSErrorUserInfoKey const NSFilePathErrorKey, NSLocalizedDescriptionKey;
extern NSString *const NSURLErrorFailingURLErrorKey;
typedef NSString *NSErrorDomain;
extern NSErrorDomain const NSPOSIXErrorDomain;
NS_ASSUME_END
