#pragma once
// Hand-written from Apple's public documentation: what the package uses of Foundation.
#include "Files.h"

NS_ASSUME_BEGIN
typedef ENUM(NSUInteger, NSURLRequestCachePolicy) {
    NSURLRequestUseProtocolCachePolicy = 0, NSURLRequestReloadIgnoringLocalCacheData = 1,
    NSURLRequestReturnCacheDataElseLoad = 2,
} NAMED(NSURLRequest.CachePolicy);
SENDABLE NAMED(URLResponse) @interface NSURLResponse : NSObject
@property (readonly) long long expectedContentLength;
@property (nullable, readonly, copy) NSURL *URL;
@property (nullable, readonly, copy) NSString *MIMEType;
@end

SENDABLE NAMED(HTTPURLResponse) @interface NSHTTPURLResponse : NSURLResponse
- (nullable instancetype)initWithURL:(NSURL *)url statusCode:(NSInteger)statusCode
    HTTPVersion:(nullable NSString *)HTTPVersion
    headerFields:(nullable NSDictionary<NSString *, NSString *> *)headerFields;
@property (readonly) NSInteger statusCode;
@property (readonly, copy) NSDictionary *allHeaderFields;
- (nullable NSString *)valueForHTTPHeaderField:(NSString *)field SINCE(10.15, 13.0, 13.0, 6.0);
@end

SENDABLE NAMED(CachedURLResponse) @interface NSCachedURLResponse : NSObject @end
SENDABLE NAMED(URLCache) @interface NSURLCache : NSObject @end
typedef NSString *NSHTTPCookiePropertyKey EXTENSIBLE_STRINGS NAMED(HTTPCookiePropertyKey);
extern NSHTTPCookiePropertyKey const NSHTTPCookieName, NSHTTPCookieValue, NSHTTPCookieDomain, NSHTTPCookiePath;
SENDABLE NAMED(HTTPCookie) @interface NSHTTPCookie : NSObject
- (nullable instancetype)initWithProperties:(NSDictionary<NSHTTPCookiePropertyKey, id> *)properties;
@property (readonly, copy) NSString *name, *value;
@end

SENDABLE NAMED(HTTPCookieStorage) @interface NSHTTPCookieStorage : NSObject
- (void)setCookie:(NSHTTPCookie *)cookie;
- (nullable NSArray<NSHTTPCookie *> *)cookiesForURL:(NSURL *)URL;
@end

typedef ENUM(NSUInteger, NSURLCredentialPersistence) {
    NSURLCredentialPersistenceNone, NSURLCredentialPersistenceForSession, NSURLCredentialPersistencePermanent,
} NAMED(NSURLCredential.Persistence);
typedef ENUM(NSUInteger, NSHTTPCookieAcceptPolicy) {
    NSHTTPCookieAcceptPolicyAlways, NSHTTPCookieAcceptPolicyNever, NSHTTPCookieAcceptPolicyOnlyFromMainDocumentDomain,
} NAMED(HTTPCookie.AcceptPolicy);
SENDABLE NAMED(URLCredential) @interface NSURLCredential : NSObject
- (instancetype)initWithUser:(NSString *)user password:(NSString *)password
    persistence:(NSURLCredentialPersistence)persistence;
@end

SENDABLE NAMED(URLCredentialStorage) @interface NSURLCredentialStorage : NSObject @end
extern NSString *const NSURLAuthenticationMethodHTTPBasic, *const NSURLAuthenticationMethodHTTPDigest;
extern NSString *const NSURLProtectionSpaceHTTPProxy;
SENDABLE NAMED(URLProtectionSpace) @interface NSURLProtectionSpace : NSObject
- (instancetype)initWithHost:(NSString *)host port:(NSInteger)port protocol:(nullable NSString *)protocol
    realm:(nullable NSString *)realm authenticationMethod:(nullable NSString *)authenticationMethod;
- (instancetype)initWithProxyHost:(NSString *)host port:(NSInteger)port type:(nullable NSString *)type
    realm:(nullable NSString *)realm authenticationMethod:(nullable NSString *)authenticationMethod;
@property (readonly, copy) NSString *authenticationMethod, *host;
- (BOOL)isProxy;
@end

@class NSURLAuthenticationChallenge;
SENDABLE NAMED(URLAuthenticationChallengeSender) @protocol NSURLAuthenticationChallengeSender <NSObject>
- (void)useCredential:(NSURLCredential *)credential forAuthenticationChallenge:(NSURLAuthenticationChallenge *)challenge;
- (void)continueWithoutCredentialForAuthenticationChallenge:(NSURLAuthenticationChallenge *)challenge;
- (void)cancelAuthenticationChallenge:(NSURLAuthenticationChallenge *)challenge;
@optional
- (void)performDefaultHandlingForAuthenticationChallenge:(NSURLAuthenticationChallenge *)challenge;
- (void)rejectProtectionSpaceAndContinueWithChallenge:(NSURLAuthenticationChallenge *)challenge;
@end

SENDABLE NAMED(URLAuthenticationChallenge) @interface NSURLAuthenticationChallenge : NSObject
- (instancetype)initWithProtectionSpace:(NSURLProtectionSpace *)space
    proposedCredential:(nullable NSURLCredential *)credential
    previousFailureCount:(NSInteger)previousFailureCount failureResponse:(nullable NSURLResponse *)response
    error:(nullable NSError *)error sender:(id<NSURLAuthenticationChallengeSender>)sender;
@property (readonly, copy) NSURLProtectionSpace *protectionSpace;
@property (nullable, readonly, copy) NSURLCredential *proposedCredential;
@property (nullable, readonly, copy) NSURLResponse *failureResponse;
@property (nullable, readonly, copy) NSError *error;
@property (readonly) NSInteger previousFailureCount;
@end

SENDABLE NAMED(URLSessionConfiguration) @interface NSURLSessionConfiguration : NSObject
@property (class, readonly, strong) NSURLSessionConfiguration *defaultSessionConfiguration,
    *ephemeralSessionConfiguration;
+ (NSURLSessionConfiguration *)backgroundSessionConfigurationWithIdentifier:(NSString *)identifier
    NAMED(background(withIdentifier:));
@property (nullable, readonly, copy) NSString *identifier;
@property NSURLRequestCachePolicy requestCachePolicy;
@property NSTimeInterval timeoutIntervalForRequest, timeoutIntervalForResource;
@property BOOL waitsForConnectivity SINCE(10.13, 11.0, 11.0, 4.0);
@property BOOL HTTPShouldSetCookies;
@property NSHTTPCookieAcceptPolicy HTTPCookieAcceptPolicy;
@property (nullable, copy) NSDictionary *HTTPAdditionalHeaders;
@property NSInteger HTTPMaximumConnectionsPerHost;
@property (nullable, strong) NSHTTPCookieStorage *HTTPCookieStorage;
@property (nullable, strong) NSURLCredentialStorage *URLCredentialStorage;
@property (nullable, strong) NSURLCache *URLCache;
@property (nullable, copy) NSArray<Class> *protocolClasses;
@end

@protocol NSURLSessionDelegate, NSURLSessionTaskDelegate;
@class NSURLSessionTask, NSURLSessionDataTask, NSURLSessionUploadTask, NSURLSessionDownloadTask, NSOperationQueue;
SENDABLE NAMED(OperationQueue) @interface NSOperationQueue : NSObject @end
SENDABLE NAMED(URLSession) @interface NSURLSession : NSObject
@property (class, readonly, strong) NSURLSession *sharedSession;
+ (NSURLSession *)sessionWithConfiguration:(NSURLSessionConfiguration *)configuration;
+ (NSURLSession *)sessionWithConfiguration:(NSURLSessionConfiguration *)configuration
    delegate:(nullable id<NSURLSessionDelegate>)delegate delegateQueue:(nullable NSOperationQueue *)queue;
@property (nullable, readonly, strong) id<NSURLSessionDelegate> delegate;
@property (readonly, copy) NSURLSessionConfiguration *configuration;
- (void)finishTasksAndInvalidate;
- (void)invalidateAndCancel;
- (NSURLSessionDataTask *)dataTaskWithURL:(NSURL *)url;
- (NSURLSessionDataTask *)dataTaskWithRequest:(NSURLRequest *)request;
- (NSURLSessionDataTask *)dataTaskWithRequest:(NSURLRequest *)request
    completionHandler:(void (SENDABLE ^)(NSData * _Nullable data, NSURLResponse * _Nullable response, NSError * _Nullable error))completionHandler;
- (NSURLSessionUploadTask *)uploadTaskWithRequest:(NSURLRequest *)request fromFile:(NSURL *)fileURL;
- (NSURLSessionDownloadTask *)downloadTaskWithRequest:(NSURLRequest *)request;
- (void)getAllTasksWithCompletionHandler:(void (SENDABLE ^)(NSArray<NSURLSessionTask *> *tasks))completionHandler
    NAMED(getAllTasks(completionHandler:)) SINCE(10.11, 9.0, 9.0, 2.0);
- (instancetype)init __attribute__((availability(macos, introduced=10.9, deprecated=10.15)));
@end

typedef ENUM(NSInteger, NSURLSessionTaskState) {
    NSURLSessionTaskStateRunning = 0, NSURLSessionTaskStateSuspended = 1, NSURLSessionTaskStateCanceling = 2,
    NSURLSessionTaskStateCompleted = 3,
} NAMED(URLSessionTask.State);
SENDABLE NAMED(URLSessionTask) @interface NSURLSessionTask : NSObject
@property (readonly) NSUInteger taskIdentifier;
@property (nullable, readonly, copy) NSURLRequest *currentRequest;
@property (nullable, readonly, copy) NSURLResponse *response;
@property (nullable, retain) id<NSURLSessionTaskDelegate> delegate SINCE(12.0, 15.0, 15.0, 8.0);
@property (readonly) long long countOfBytesSent;
@property (readonly) NSURLSessionTaskState state;
@property (nullable, readonly, copy) NSError *error;
@property (nullable, copy) NSString *taskDescription;
@property float priority;
- (void)cancel;
- (void)suspend;
- (void)resume;
- (instancetype)init __attribute__((availability(macos, introduced=10.9, deprecated=10.15)));
@end

SENDABLE NAMED(URLSessionDataTask) @interface NSURLSessionDataTask : NSURLSessionTask @end
SENDABLE NAMED(URLSessionUploadTask) @interface NSURLSessionUploadTask : NSURLSessionDataTask @end
SENDABLE NAMED(URLSessionDownloadTask) @interface NSURLSessionDownloadTask : NSURLSessionTask @end
SENDABLE NAMED(URLSessionTaskTransactionMetrics) SINCE(10.12, 10.0, 10.0, 3.0)
@interface NSURLSessionTaskTransactionMetrics : NSObject
@property (nullable, copy, readonly) NSDate *fetchStartDate, *domainLookupEndDate, *secureConnectionEndDate,
    *connectEndDate, *responseStartDate;
@property (nullable, copy, readonly) NSString *networkProtocolName;
@property (assign, readonly, getter=isReusedConnection) BOOL reusedConnection;
@property (readonly) long long countOfRequestBodyBytesSent SINCE(10.15, 13.0, 13.0, 6.0);
@property (readonly) long long countOfResponseBodyBytesReceived SINCE(10.15, 13.0, 13.0, 6.0);
@property (nullable, copy, readonly) NSString *remoteAddress SINCE(10.15, 13.0, 13.0, 6.0);
@end

SENDABLE NAMED(URLSessionTaskMetrics) SINCE(10.12, 10.0, 10.0, 3.0) @interface NSURLSessionTaskMetrics : NSObject
@property (copy, readonly) NSArray<NSURLSessionTaskTransactionMetrics *> *transactionMetrics;
@property (copy, readonly) NSDateInterval *taskInterval;
@end

typedef ENUM(NSInteger, NSURLSessionAuthChallengeDisposition) {
    NSURLSessionAuthChallengeUseCredential = 0, NSURLSessionAuthChallengePerformDefaultHandling = 1,
    NSURLSessionAuthChallengeCancelAuthenticationChallenge = 2, NSURLSessionAuthChallengeRejectProtectionSpace = 3,
} NAMED(URLSession.AuthChallengeDisposition);
typedef ENUM(NSInteger, NSURLSessionResponseDisposition) {
    NSURLSessionResponseCancel = 0, NSURLSessionResponseAllow = 1, NSURLSessionResponseBecomeDownload = 2,
    NSURLSessionResponseBecomeStream = 3,
} NAMED(URLSession.ResponseDisposition);
SENDABLE NAMED(URLSessionDelegate) @protocol NSURLSessionDelegate <NSObject>
@optional
- (void)URLSession:(NSURLSession *)session didBecomeInvalidWithError:(nullable NSError *)error;
- (void)URLSession:(NSURLSession *)session
    didReceiveChallenge:(NSURLAuthenticationChallenge *)challenge
    completionHandler:(void (SENDABLE ^)(NSURLSessionAuthChallengeDisposition disposition, NSURLCredential * _Nullable credential))completionHandler;
- (void)URLSessionDidFinishEventsForBackgroundURLSession:(NSURLSession *)session
    NAMED(urlSessionDidFinishEvents(forBackgroundURLSession:)) __attribute__((availability(macos, unavailable)));
@end

SENDABLE NAMED(URLSessionTaskDelegate) @protocol NSURLSessionTaskDelegate <NSURLSessionDelegate>
@optional
- (void)URLSession:(NSURLSession *)session didCreateTask:(NSURLSessionTask *)task SINCE(13.0, 16.0, 16.0, 9.0);
- (void)URLSession:(NSURLSession *)session taskIsWaitingForConnectivity:(NSURLSessionTask *)task SINCE(10.13, 11.0, 11.0, 4.0);
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task
    willPerformHTTPRedirection:(NSHTTPURLResponse *)response newRequest:(NSURLRequest *)request
    completionHandler:(void (SENDABLE ^)(NSURLRequest * _Nullable))completionHandler;
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task
    didReceiveChallenge:(NSURLAuthenticationChallenge *)challenge
    completionHandler:(void (SENDABLE ^)(NSURLSessionAuthChallengeDisposition disposition, NSURLCredential * _Nullable credential))completionHandler;
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task
    needNewBodyStream:(void (SENDABLE ^)(NSInputStream * _Nullable bodyStream))completionHandler;
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task
    needNewBodyStreamFromOffset:(long long)offset
    completionHandler:(void (SENDABLE ^)(NSInputStream * _Nullable bodyStream))completionHandler
    NAMED(urlSession(_:task:needNewBodyStreamFrom:completionHandler:)) SINCE(14.0, 17.0, 17.0, 10.0);
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task
    didSendBodyData:(long long)bytesSent totalBytesSent:(long long)totalBytesSent
    totalBytesExpectedToSend:(long long)totalBytesExpectedToSend;
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task
    didReceiveInformationalResponse:(NSHTTPURLResponse *)response SINCE(14.0, 17.0, 17.0, 10.0);
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task
    didFinishCollectingMetrics:(NSURLSessionTaskMetrics *)metrics SINCE(10.12, 10.0, 10.0, 3.0);
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task didCompleteWithError:(nullable NSError *)error;
@end

SENDABLE NAMED(URLSessionDataDelegate) @protocol NSURLSessionDataDelegate <NSURLSessionTaskDelegate>
@optional
- (void)URLSession:(NSURLSession *)session dataTask:(NSURLSessionDataTask *)dataTask
    didReceiveResponse:(NSURLResponse *)response
    completionHandler:(void (SENDABLE ^)(NSURLSessionResponseDisposition disposition))completionHandler;
- (void)URLSession:(NSURLSession *)session dataTask:(NSURLSessionDataTask *)dataTask
    didBecomeDownloadTask:(NSURLSessionDownloadTask *)downloadTask;
- (void)URLSession:(NSURLSession *)session dataTask:(NSURLSessionDataTask *)dataTask didReceiveData:(NSData *)data;
- (void)URLSession:(NSURLSession *)session dataTask:(NSURLSessionDataTask *)dataTask
    willCacheResponse:(NSCachedURLResponse *)proposedResponse
    completionHandler:(void (SENDABLE ^)(NSCachedURLResponse * _Nullable cachedResponse))completionHandler;
@end

SENDABLE NAMED(URLSessionDownloadDelegate) @protocol NSURLSessionDownloadDelegate <NSURLSessionTaskDelegate>
- (void)URLSession:(NSURLSession *)session downloadTask:(NSURLSessionDownloadTask *)downloadTask
    didFinishDownloadingToURL:(NSURL *)location;
@end

typedef ENUM(NSUInteger, NSURLCacheStoragePolicy) {
    NSURLCacheStorageAllowed, NSURLCacheStorageAllowedInMemoryOnly, NSURLCacheStorageNotAllowed,
} NAMED(NSURLCache.StoragePolicy);
@class NSURLProtocol;
NAMED(URLProtocolClient) @protocol NSURLProtocolClient <NSObject>
- (void)URLProtocol:(NSURLProtocol *)protocol didReceiveResponse:(NSURLResponse *)response
    cacheStoragePolicy:(NSURLCacheStoragePolicy)policy;
- (void)URLProtocol:(NSURLProtocol *)protocol didLoadData:(NSData *)data;
- (void)URLProtocolDidFinishLoading:(NSURLProtocol *)protocol;
- (void)URLProtocol:(NSURLProtocol *)protocol didFailWithError:(NSError *)error;
@end

@class NSCachedURLResponse;
NAMED(URLProtocol) @interface NSURLProtocol : NSObject
- (instancetype)initWithRequest:(NSURLRequest *)request
    cachedResponse:(nullable NSCachedURLResponse *)cachedResponse client:(nullable id<NSURLProtocolClient>)client;
@property (nullable, readonly, retain) id<NSURLProtocolClient> client;
@property (readonly, copy) NSURLRequest *request;
+ (BOOL)canInitWithRequest:(NSURLRequest *)request;
+ (NSURLRequest *)canonicalRequestForRequest:(NSURLRequest *)request;
- (void)startLoading;
- (void)stopLoading;
@end
NS_ASSUME_END
