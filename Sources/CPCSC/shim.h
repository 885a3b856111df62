#ifndef TAPKIT_CPCSC_SHIM_H
#define TAPKIT_CPCSC_SHIM_H

#include <winscard.h>
#include <reader.h>

#endif
