#pragma once
#include "Foundation.h"
NS_ASSUME_BEGIN
UI_ACTOR @interface NSWindow : NSObject @end
UI_ACTOR @interface UIWindow : NSObject @end
#if TARGET_OS_OSX
typedef NSWindow *ASPresentationAnchor;
#else
typedef UIWindow *ASPresentationAnchor;
#endif
typedef void (^ASWebAuthenticationSessionCompletionHandler)(NSURL * _Nullable callbackURL, NSError * _Nullable error)
    NAMED(ASWebAuthenticationSession.CompletionHandler);
@class ASWebAuthenticationSession;
UI_ACTOR SINCE(10.15, 13.0, 99.0, 99.0) @protocol ASWebAuthenticationPresentationContextProviding <NSObject>
- (ASPresentationAnchor)presentationAnchorForWebAuthenticationSession:(ASWebAuthenticationSession *)session
    NAMED(presentationAnchor(for:));
@end
SINCE(14.4, 17.4, 17.4, 10.4) NAMED(ASWebAuthenticationSession.Callback)
@interface ASWebAuthenticationSessionCallback : NSObject
+ (instancetype)callbackWithCustomScheme:(NSString *)customScheme NAMED(customScheme(_:));
+ (instancetype)callbackWithHTTPSHost:(NSString *)host path:(NSString *)path NAMED(https(host:path:));
- (instancetype)init __attribute__((unavailable));
@end
SINCE(10.15, 12.0, 16.0, 6.2) @interface ASWebAuthenticationSession : NSObject
- (instancetype)initWithURL:(NSURL *)URL callbackURLScheme:(nullable NSString *)callbackURLScheme
    completionHandler:(ASWebAuthenticationSessionCompletionHandler)completionHandler
    NAMED(init(url:callbackURLScheme:completionHandler:));
- (instancetype)initWithURL:(NSURL *)URL callback:(ASWebAuthenticationSessionCallback *)callback
    completionHandler:(ASWebAuthenticationSessionCompletionHandler)completionHandler
    NAMED(init(url:callback:completionHandler:)) SINCE(14.4, 17.4, 17.4, 10.4);
@property (nonatomic, weak, nullable) id <ASWebAuthenticationPresentationContextProviding> presentationContextProvider
    SINCE(10.15, 13.0, 99.0, 99.0);
@property (nonatomic) BOOL prefersEphemeralWebBrowserSession SINCE(10.15, 13.0, 99.0, 6.2);
- (BOOL)start;
- (void)cancel;
- (instancetype)init __attribute__((unavailable));
@end
NS_ASSUME_END
