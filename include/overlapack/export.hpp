#pragma once

/// Marks a name that the shared library shows. All other names are hidden.
#define OVERLAPACK_API __attribute__((visibility("default")))
