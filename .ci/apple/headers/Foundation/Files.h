#pragma once
// Hand-written from Apple's public documentation: what the package uses of Foundation.
#include "Objects.h"

NS_ASSUME_BEGIN
typedef ENUM(NSUInteger, NSStreamStatus) {
    NSStreamStatusNotOpen,
    NSStreamStatusOpening,
    NSStreamStatusOpen,
    NSStreamStatusReading,
    NSStreamStatusWriting,
    NSStreamStatusAtEnd,
    NSStreamStatusClosed,
    NSStreamStatusError,
} NAMED(NSStream.Status);
NAMED(Stream) @interface NSStream : NSObject
@property (readonly) NSStreamStatus streamStatus;
- (void)open;
- (void)close;
@property (nullable, readonly, copy) NSError *streamError;
@end

NAMED(InputStream) @interface NSInputStream : NSStream
- (NSInteger)read:(unsigned char *)buffer maxLength:(NSUInteger)len NAMED(read(_:maxLength:));
@property (readonly) BOOL hasBytesAvailable;
- (instancetype)initWithData:(NSData *)data;
- (nullable instancetype)initWithURL:(NSURL *)url NAMED(init(url:)) SINCE(10.6, 4.0, 9.0, 2.0);
@end

SENDABLE NAMED(FileHandle) @interface NSFileHandle : NSObject
- (instancetype)initWithFileDescriptor:(int)fd closeOnDealloc:(BOOL)closeopt;
+ (nullable instancetype)fileHandleForReadingFromURL:(NSURL *)url error:(out NSError * _Nullable * _Nullable)error
    NAMED(init(forReadingFrom:));
+ (nullable instancetype)fileHandleForWritingToURL:(NSURL *)url error:(out NSError * _Nullable * _Nullable)error
    NAMED(init(forWritingTo:));
@property (class, readonly, strong) NSFileHandle *fileHandleWithStandardError NAMED(standardError);
- (void)writeData:(NSData *)data NAMED(write(_:));
@property (class, readonly, strong) NSFileHandle *fileHandleWithNullDevice NAMED(nullDevice);
@property (class, readonly, strong) NSFileHandle *fileHandleWithStandardOutput NAMED(standardOutput);
- (NSData *)readDataToEndOfFile;
@property (readonly) int fileDescriptor;
- (BOOL)closeAndReturnError:(out NSError * _Nullable * _Nullable)error NAMED(close()) SINCE(10.15, 13.0, 13.0, 6.0);
- (BOOL)synchronizeAndReturnError:(out NSError * _Nullable * _Nullable)error NAMED(synchronize())
    SINCE(10.15, 13.0, 13.0, 6.0);
- (BOOL)truncateAtOffset:(unsigned long long)offset error:(out NSError * _Nullable * _Nullable)error
    NAMED(truncate(atOffset:)) SINCE(10.15, 13.0, 13.0, 6.0);
@end

typedef OPTIONS(NSUInteger, NSSearchPathDomainMask) { NSUserDomainMask = 1 } NAMED(FileManager.SearchPathDomainMask);
typedef ENUM(NSUInteger, NSSearchPathDirectory) {
    NSDocumentDirectory = 9,
    NSCachesDirectory = 13,
} NAMED(FileManager.SearchPathDirectory);
typedef OPTIONS(NSUInteger, NSDirectoryEnumerationOptions) {
    NSDirectoryEnumerationSkipsHiddenFiles = 4,
} NAMED(FileManager.DirectoryEnumerationOptions);
typedef NSString *NSFileAttributeKey EXTENSIBLE_STRINGS NAMED(FileAttributeKey);
extern NSFileAttributeKey const NSFilePosixPermissions NAMED(FileAttributeKey.posixPermissions);
extern NSFileAttributeKey const NSFileModificationDate NAMED(FileAttributeKey.modificationDate);
extern NSFileAttributeKey const NSFileSize NAMED(FileAttributeKey.size);
extern NSFileAttributeKey const NSFileType NAMED(FileAttributeKey.type);
typedef NSString *NSFileAttributeType EXTENSIBLE_STRINGS NAMED(FileAttributeType);
extern NSFileAttributeType const NSFileTypeRegular NAMED(FileAttributeType.typeRegular);
extern NSFileAttributeType const NSFileTypeDirectory NAMED(FileAttributeType.typeDirectory);
extern NSFileAttributeType const NSFileTypeSymbolicLink NAMED(FileAttributeType.typeSymbolicLink);
typedef NSString *NSURLResourceKey EXTENSIBLE_STRINGS NAMED(URLResourceKey);
extern NSURLResourceKey const NSURLFileSizeKey NAMED(URLResourceKey.fileSizeKey);
extern NSURLResourceKey const NSURLIsDirectoryKey NAMED(URLResourceKey.isDirectoryKey);
extern NSURLResourceKey const NSURLIsRegularFileKey NAMED(URLResourceKey.isRegularFileKey);
extern NSURLResourceKey const NSURLContentModificationDateKey NAMED(URLResourceKey.contentModificationDateKey);
SENDABLE NAMED(FileManager) @interface NSFileManager : NSObject
@property (class, readonly, strong) NSFileManager *defaultManager NAMED(default);
@property (readonly, copy) NSURL *temporaryDirectory SINCE(10.12, 10.0, 10.0, 3.0);
- (BOOL)fileExistsAtPath:(NSString *)path NAMED(fileExists(atPath:));
- (BOOL)createSymbolicLinkAtPath:(NSString *)path withDestinationPath:(NSString *)destPath error:(NSError **)error
    NAMED(createSymbolicLink(atPath:withDestinationPath:));
- (BOOL)createSymbolicLinkAtURL:(NSURL *)url withDestinationURL:(NSURL *)destURL error:(NSError **)error
    NAMED(createSymbolicLink(at:withDestinationURL:));
- (BOOL)linkItemAtURL:(NSURL *)srcURL toURL:(NSURL *)dstURL error:(NSError **)error NAMED(linkItem(at:to:));
- (BOOL)isExecutableFileAtPath:(NSString *)path NAMED(isExecutableFile(atPath:));
- (nullable NSString *)destinationOfSymbolicLinkAtPath:(NSString *)path error:(NSError **)error
    NAMED(destinationOfSymbolicLink(atPath:));
- (BOOL)setAttributes:(NSDictionary<NSFileAttributeKey, id> *)attributes ofItemAtPath:(NSString *)path
    error:(NSError **)error
    NAMED(setAttributes(_:ofItemAtPath:));
- (BOOL)copyItemAtURL:(NSURL *)src toURL:(NSURL *)dst error:(NSError **)error NAMED(copyItem(at:to:));
- (BOOL)isReadableFileAtPath:(NSString *)path NAMED(isReadableFile(atPath:));
- (BOOL)createFileAtPath:(NSString *)path contents:(nullable NSData *)data
    attributes:(nullable NSDictionary<NSFileAttributeKey, id> *)attr
    NAMED(createFile(atPath:contents:attributes:)) __attribute__((swift_attr("discardableResult")));
- (BOOL)createDirectoryAtURL:(NSURL *)url withIntermediateDirectories:(BOOL)createIntermediates
    attributes:(nullable NSDictionary<NSFileAttributeKey, id> *)attributes error:(NSError **)error
    NAMED(createDirectory(at:withIntermediateDirectories:attributes:));
- (BOOL)removeItemAtURL:(NSURL *)URL error:(NSError **)error NAMED(removeItem(at:));
- (BOOL)removeItemAtPath:(NSString *)path error:(NSError **)error NAMED(removeItem(atPath:));
- (BOOL)moveItemAtURL:(NSURL *)src toURL:(NSURL *)dst error:(NSError **)error NAMED(moveItem(at:to:));
- (nullable NSDictionary<NSFileAttributeKey, id> *)attributesOfItemAtPath:(NSString *)path error:(NSError **)error
    NAMED(attributesOfItem(atPath:));
- (nullable NSArray<NSString *> *)contentsOfDirectoryAtPath:(NSString *)path error:(NSError **)error
    NAMED(contentsOfDirectory(atPath:));
- (nullable NSArray<NSURL *> *)contentsOfDirectoryAtURL:(NSURL *)url
    includingPropertiesForKeys:(nullable NSArray<NSURLResourceKey> *)keys
    options:(NSDirectoryEnumerationOptions)mask error:(NSError **)error
    NAMED(contentsOfDirectory(at:includingPropertiesForKeys:options:));
- (NSArray<NSURL *> *)URLsForDirectory:(NSSearchPathDirectory)directory inDomains:(NSSearchPathDomainMask)domainMask
    NAMED(urls(for:in:));
@end
NS_ASSUME_END
