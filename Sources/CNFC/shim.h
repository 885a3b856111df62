#ifndef TAPKIT_CNFC_SHIM_H
#define TAPKIT_CNFC_SHIM_H

#include <nfc/nfc.h>

#endif
