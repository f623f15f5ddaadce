#pragma once
#include "CoreFoundation.h"

NS_ASSUME_BEGIN
extern const CFStringRef kSecClass, kSecClassGenericPassword, kSecAttrService, kSecAttrAccount, kSecAttrGeneric,
    kSecAttrAccessGroup, kSecReturnData, kSecMatchLimit, kSecMatchLimitOne, kSecValueData, kSecAttrAccessible,
    kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly;
extern const CFStringRef kSecUseDataProtectionKeychain SINCE(10.15, 13.0, 13.0, 6.0);
enum : OSStatus { errSecSuccess = 0, errSecDuplicateItem = -25299, errSecItemNotFound = -25300, errSecMissingEntitlement = -34018 };
OSStatus SecItemCopyMatching(CFDictionaryRef query, CFTypeRef _Nullable * _Nullable
    __attribute__((cf_returns_retained)) result);
OSStatus SecItemAdd(CFDictionaryRef attributes, CFTypeRef _Nullable * _Nullable
    __attribute__((cf_returns_retained)) result);
OSStatus SecItemUpdate(CFDictionaryRef query, CFDictionaryRef attributesToUpdate);
OSStatus SecItemDelete(CFDictionaryRef query);
NS_ASSUME_END
