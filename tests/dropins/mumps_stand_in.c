/* In the place of a MUMPS of another version: it writes its version, as job -1 does, and solves nothing. */
#include <cmumps_c.h>
#include <dmumps_c.h>
#include <smumps_c.h>
#include <string.h>
#include <zmumps_c.h>

#define STAND_IN(function, STRUC)                                          \
  void function(STRUC* id) {                                               \
    if (id->job == -1) strcpy(id->version_number, MUMPS_VERSION);          \
    id->info[0] = id->infog[0] = id->job == -1 || id->job == -2 ? 0 : -99; \
  }
STAND_IN(smumps_c, SMUMPS_STRUC_C)
STAND_IN(dmumps_c, DMUMPS_STRUC_C)
STAND_IN(cmumps_c, CMUMPS_STRUC_C)
STAND_IN(zmumps_c, ZMUMPS_STRUC_C)
