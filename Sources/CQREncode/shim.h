#ifndef TAPKIT_CQRENCODE_SHIM_H
#define TAPKIT_CQRENCODE_SHIM_H

#include <qrencode.h>

#endif
