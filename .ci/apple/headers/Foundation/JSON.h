#pragma once
// Hand-written from Apple's public documentation: what the package uses of Foundation.
#include "Objects.h"

NS_ASSUME_BEGIN
typedef OPTIONS(NSUInteger, NSJSONReadingOptions) {
    NSJSONReadingMutableContainers = 1, NSJSONReadingFragmentsAllowed = 4,
} NAMED(JSONSerialization.ReadingOptions);
typedef OPTIONS(NSUInteger, NSJSONWritingOptions) {
    NSJSONWritingPrettyPrinted = 1, NSJSONWritingSortedKeys SINCE(10.13, 11.0, 11.0, 4.0) = 2,
    NSJSONWritingFragmentsAllowed = 4, NSJSONWritingWithoutEscapingSlashes SINCE(10.15, 13.0, 13.0, 6.0) = 8,
} NAMED(JSONSerialization.WritingOptions);
NAMED(JSONSerialization) @interface NSJSONSerialization : NSObject
+ (BOOL)isValidJSONObject:(id)obj;
+ (nullable NSData *)dataWithJSONObject:(id)obj options:(NSJSONWritingOptions)opt error:(NSError **)error;
+ (nullable id)JSONObjectWithData:(NSData *)data options:(NSJSONReadingOptions)opt error:(NSError **)error;
@end

typedef NSUInteger NSPropertyListFormat;
typedef OPTIONS(NSUInteger, NSPropertyListMutabilityOptions) {
    NSPropertyListMutableContainers = 1,
} NAMED(PropertyListSerialization.MutabilityOptions);
NAMED(PropertyListSerialization) @interface NSPropertyListSerialization : NSObject
+ (nullable id)propertyListWithData:(NSData *)data options:(NSPropertyListMutabilityOptions)opt
    format:(nullable NSPropertyListFormat *)format error:(NSError **)error NAMED(propertyList(from:options:format:));
@end
NS_ASSUME_END
