#pragma once

/// What the shared library shows; everything else in it is hidden.
#define OVERLAPACK_API __attribute__((visibility("default")))
