#pragma once
// Hand-written from Apple's public documentation: what the package uses of Foundation.
#include "Objects.h"

NS_ASSUME_BEGIN
typedef ENUM(NSUInteger, NSStreamStatus) {
    NSStreamStatusNotOpen, NSStreamStatusOpening, NSStreamStatusOpen, NSStreamStatusReading, NSStreamStatusWriting,
    NSStreamStatusAtEnd, NSStreamStatusClosed, NSStreamStatusError,
} NAMED(NSStream.Status);
typedef NSString *NSStreamPropertyKey EXTENSIBLE_STRINGS NAMED(NSStream.PropertyKey);
extern NSStreamPropertyKey const NSStreamFileCurrentOffsetKey NAMED(fileCurrentOffsetKey);
NAMED(Stream) @interface NSStream : NSObject
- (BOOL)setProperty:(nullable id)property forKey:(NSStreamPropertyKey)key;
@property (readonly) NSStreamStatus streamStatus;
- (void)open;
- (void)close;
@property (nullable, readonly, copy) NSError *streamError;
@end

NAMED(InputStream) @interface NSInputStream : NSStream
- (NSInteger)read:(unsigned char *)buffer maxLength:(NSUInteger)len;
@property (readonly) BOOL hasBytesAvailable;
- (instancetype)initWithData:(NSData *)data;
- (nullable instancetype)initWithURL:(NSURL *)url SINCE(10.6, 4.0, 9.0, 2.0);
@end

SENDABLE NAMED(FileHandle) @interface NSFileHandle : NSObject
- (instancetype)initWithFileDescriptor:(int)fd closeOnDealloc:(BOOL)closeopt;
+ (nullable instancetype)fileHandleForReadingFromURL:(NSURL *)url error:(out NSError * _Nullable * _Nullable)error;
+ (nullable instancetype)fileHandleForWritingToURL:(NSURL *)url error:(out NSError * _Nullable * _Nullable)error;
@property (class, readonly, strong) NSFileHandle *fileHandleWithStandardError NAMED(standardError);
- (void)writeData:(NSData *)data;
@property (class, readonly, strong) NSFileHandle *fileHandleWithStandardOutput NAMED(standardOutput);
@property (readonly) int fileDescriptor;
- (BOOL)closeAndReturnError:(out NSError * _Nullable * _Nullable)error SINCE(10.15, 13.0, 13.0, 6.0);
- (BOOL)truncateAtOffset:(unsigned long long)offset error:(out NSError * _Nullable * _Nullable)error SINCE(10.15, 13.0, 13.0, 6.0);
@end

typedef OPTIONS(NSUInteger, NSSearchPathDomainMask) { NSUserDomainMask = 1 } NAMED(FileManager.SearchPathDomainMask);
typedef ENUM(NSUInteger, NSSearchPathDirectory) {
    NSDocumentDirectory = 9, NSCachesDirectory = 13,
} NAMED(FileManager.SearchPathDirectory);
typedef OPTIONS(NSUInteger, NSDirectoryEnumerationOptions) {
    NSDirectoryEnumerationSkipsHiddenFiles = 4,
} NAMED(FileManager.DirectoryEnumerationOptions);
extern NSString *NSHomeDirectory(void);
typedef NSString *NSFileAttributeKey EXTENSIBLE_STRINGS NAMED(FileAttributeKey);
extern NSFileAttributeKey const NSFilePosixPermissions, NSFileModificationDate, NSFileSize, NSFileType;
typedef NSString *NSFileAttributeType EXTENSIBLE_STRINGS NAMED(FileAttributeType);
extern NSFileAttributeType const NSFileTypeRegular, NSFileTypeDirectory;
typedef NSString *NSURLResourceKey EXTENSIBLE_STRINGS NAMED(URLResourceKey);
extern NSURLResourceKey const NSURLFileSizeKey, NSURLIsDirectoryKey, NSURLIsRegularFileKey,
    NSURLContentModificationDateKey;
SENDABLE NAMED(FileManager) @interface NSFileManager : NSObject
@property (class, readonly, strong) NSFileManager *defaultManager;
@property (readonly, copy) NSURL *temporaryDirectory SINCE(10.12, 10.0, 10.0, 3.0);
- (BOOL)fileExistsAtPath:(NSString *)path;
- (BOOL)createSymbolicLinkAtPath:(NSString *)path withDestinationPath:(NSString *)destPath error:(NSError **)error;
- (BOOL)createSymbolicLinkAtURL:(NSURL *)url withDestinationURL:(NSURL *)destURL error:(NSError **)error;
- (BOOL)linkItemAtURL:(NSURL *)srcURL toURL:(NSURL *)dstURL error:(NSError **)error;
- (BOOL)isExecutableFileAtPath:(NSString *)path;
- (nullable NSString *)destinationOfSymbolicLinkAtPath:(NSString *)path error:(NSError **)error;
- (BOOL)setAttributes:(NSDictionary<NSFileAttributeKey, id> *)attributes ofItemAtPath:(NSString *)path
    error:(NSError **)error;
- (BOOL)isReadableFileAtPath:(NSString *)path;
- (BOOL)createFileAtPath:(NSString *)path contents:(nullable NSData *)data
    attributes:(nullable NSDictionary<NSFileAttributeKey, id> *)attr __attribute__((swift_attr("discardableResult")));
- (BOOL)createDirectoryAtURL:(NSURL *)url withIntermediateDirectories:(BOOL)createIntermediates
    attributes:(nullable NSDictionary<NSFileAttributeKey, id> *)attributes error:(NSError **)error;
- (BOOL)removeItemAtURL:(NSURL *)URL error:(NSError **)error;
- (BOOL)removeItemAtPath:(NSString *)path error:(NSError **)error;
- (BOOL)moveItemAtURL:(NSURL *)src toURL:(NSURL *)dst error:(NSError **)error;
- (nullable NSDictionary<NSFileAttributeKey, id> *)attributesOfItemAtPath:(NSString *)path error:(NSError **)error;
- (nullable NSArray<NSString *> *)contentsOfDirectoryAtPath:(NSString *)path error:(NSError **)error;
- (nullable NSArray<NSURL *> *)contentsOfDirectoryAtURL:(NSURL *)url
    includingPropertiesForKeys:(nullable NSArray<NSURLResourceKey> *)keys
    options:(NSDirectoryEnumerationOptions)mask error:(NSError **)error;
- (NSArray<NSURL *> *)URLsForDirectory:(NSSearchPathDirectory)directory
    inDomains:(NSSearchPathDomainMask)domainMask NAMED(urls(for:in:));
@end
NS_ASSUME_END
