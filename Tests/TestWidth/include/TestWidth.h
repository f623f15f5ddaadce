#ifndef TEST_WIDTH_H
#define TEST_WIDTH_H

/// The variable that tells Swift Testing how many tests to run at once.
#define TEST_WIDTH_VARIABLE "SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH"

#endif
