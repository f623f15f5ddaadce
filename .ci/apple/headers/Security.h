#pragma once
#include "CoreFoundation.h"

NS_ASSUME_BEGIN
extern const CFStringRef kSecClass;
extern const CFStringRef kSecClassGenericPassword;
extern const CFStringRef kSecAttrService;
extern const CFStringRef kSecAttrAccount;
extern const CFStringRef kSecAttrGeneric;
extern const CFStringRef kSecAttrAccessGroup;
extern const CFStringRef kSecReturnData;
extern const CFStringRef kSecMatchLimit;
extern const CFStringRef kSecMatchLimitOne;
extern const CFStringRef kSecValueData;
extern const CFStringRef kSecAttrAccessible;
extern const CFStringRef kSecAttrAccessibleAfterFirstUnlock;
extern const CFStringRef kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly;
extern const CFStringRef kSecUseDataProtectionKeychain SINCE(10.15, 13.0, 13.0, 6.0);
enum : OSStatus { errSecSuccess = 0, errSecDuplicateItem = -25299, errSecItemNotFound = -25300, errSecMissingEntitlement = -34018 };
OSStatus SecItemCopyMatching(CFDictionaryRef query, CFTypeRef _Nullable * _Nullable
    __attribute__((cf_returns_retained)) result);
OSStatus SecItemAdd(CFDictionaryRef attributes, CFTypeRef _Nullable * _Nullable
    __attribute__((cf_returns_retained)) result);
OSStatus SecItemUpdate(CFDictionaryRef query, CFDictionaryRef attributesToUpdate);
OSStatus SecItemDelete(CFDictionaryRef query);
NS_ASSUME_END
