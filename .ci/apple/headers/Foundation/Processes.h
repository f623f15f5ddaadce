#pragma once
// Hand-written from Apple's public documentation: what the package uses of Foundation.
#include "Files.h"

NS_ASSUME_BEGIN
SENDABLE @interface NSLock : NSObject
- (void)lock;
- (void)unlock;
- (BOOL)tryLock NAMED(try());
@end

SENDABLE NAMED(Thread) @interface NSThread : NSObject
+ (void)sleepForTimeInterval:(NSTimeInterval)ti NAMED(sleep(forTimeInterval:));
@property (class, readonly, strong) NSThread *currentThread __attribute__((swift_name("current")));
- (instancetype)initWithBlock:(void (SENDABLE ^)(void))block NAMED(init(block:));
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
@property (readonly, copy) NSString *processName;
@property (readonly, copy) NSString *hostName;
@property (readonly) NSOperatingSystemVersion operatingSystemVersion;
@end

SENDABLE NAMED(Bundle) @interface NSBundle : NSObject
+ (NSBundle *)bundleForClass:(Class)aClass NAMED(init(for:));
@property (class, readonly, copy) NSArray<NSBundle *> *allBundles;
@property (readonly, copy) NSString *bundlePath;
@property (readonly, copy) NSURL *bundleURL;
@property (class, readonly, strong) NSBundle *mainBundle NAMED(main);
@property (nullable, readonly, copy) NSURL *resourceURL;
@property (nullable, readonly, copy) NSString *bundleIdentifier;
@property (nullable, readonly, copy) NSDictionary<NSString *, id> *infoDictionary;
@property (nullable, readonly, copy) NSURL *executableURL;
@end

#if TARGET_OS_OSX
typedef ENUM(NSInteger, NSTaskTerminationReason) {
    NSTaskTerminationReasonExit = 1,
    NSTaskTerminationReasonUncaughtSignal = 2,
} NAMED(NSTask.TerminationReason);
SENDABLE NAMED(Pipe) @interface NSPipe : NSObject
@property (readonly, retain) NSFileHandle *fileHandleForReading;
@property (readonly, retain) NSFileHandle *fileHandleForWriting;
@end

SENDABLE NAMED(Process) @interface NSTask : NSObject
@property (nullable, copy) NSURL *executableURL SINCE(10.13, 99.0, 99.0, 99.0);
@property (nullable, copy) NSArray<NSString *> *arguments;
@property (nullable, copy) NSDictionary<NSString *, NSString *> *environment;
@property (nullable, copy) NSURL *currentDirectoryURL SINCE(10.13, 99.0, 99.0, 99.0);
@property (nullable, retain) id standardInput;
@property (nullable, retain) id standardOutput;
@property (nullable, retain) id standardError;
@property (readonly) int processIdentifier;
@property (readonly, getter=isRunning) BOOL running NAMED(isRunning);
@property (readonly) int terminationStatus;
@property (readonly) NSTaskTerminationReason terminationReason;
@property (nullable, copy) void (SENDABLE ^terminationHandler)(NSTask *);
- (BOOL)launchAndReturnError:(out NSError **)error NAMED(run());
- (void)terminate;
- (void)waitUntilExit;
@end

#endif
NS_ASSUME_END
