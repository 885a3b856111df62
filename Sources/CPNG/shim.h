#ifndef TAPKIT_CPNG_SHIM_H
#define TAPKIT_CPNG_SHIM_H

#include <png.h>

#endif
