#include "scs_stand_in.h"
