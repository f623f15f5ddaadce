#pragma once
// Hand-written from Apple's public documentation: what the package uses of Foundation.
#include "Files.h"

NS_ASSUME_BEGIN
SENDABLE @interface NSLock : NSObject
- (void)lock;
- (void)unlock;
- (BOOL)tryLock;
@end

SENDABLE NAMED(Thread) @interface NSThread : NSObject
+ (void)sleepForTimeInterval:(NSTimeInterval)ti;
@property (class, readonly, strong) NSThread *currentThread __attribute__((swift_name("current")));
- (instancetype)initWithBlock:(void (SENDABLE ^)(void))block;
- (void)start;
@property NSUInteger stackSize;
@property (readonly, retain) NSMutableDictionary *threadDictionary;
@property (nullable, copy) NSString *name;
@property (readonly) BOOL isMainThread;
+ (void)detachNewThreadWithBlock:(void (SENDABLE ^)(void))block NAMED(detachNewThread(_:));
@property (class, readonly) BOOL isMainThread;
@end

typedef struct {
    NSInteger majorVersion;
    NSInteger minorVersion;
    NSInteger patchVersion;
} NSOperatingSystemVersion NAMED(OperatingSystemVersion);
SENDABLE NAMED(ProcessInfo) @interface NSProcessInfo : NSObject
@property (class, readonly, strong) NSProcessInfo *processInfo;
@property (readonly, copy) NSDictionary<NSString *, NSString *> *environment;
@property (readonly) NSTimeInterval systemUptime;
@property (readonly, copy) NSString *hostName;
@property (readonly) NSOperatingSystemVersion operatingSystemVersion;
@end

SENDABLE NAMED(Bundle) @interface NSBundle : NSObject
+ (NSBundle *)bundleForClass:(Class)aClass;
@property (readonly, copy) NSURL *bundleURL;
@property (class, readonly, strong) NSBundle *mainBundle;
@property (nullable, readonly, copy) NSURL *resourceURL;
@property (nullable, readonly, copy) NSString *bundleIdentifier;
@property (nullable, readonly, copy) NSDictionary<NSString *, id> *infoDictionary;
@property (nullable, readonly, copy) NSURL *executableURL;
@end
NS_ASSUME_END
