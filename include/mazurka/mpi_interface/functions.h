/* Every function of MPI that a program can call, as MAZURKA_MPI_FUNCTION(result, name, parameters).
 *
 * Whoever includes this says what is made of them: declarations (mpi.h), or anything else that must
 * be there for each of them. Hence no guard: it can be included several times.
 */
#include "collectives.h"
#include "communicators.h"
#include "datatypes.h"
#include "environment.h"
#include "files.h"
#include "one_sided.h"
#include "persistent_collectives.h"
#include "point_to_point.h"
#include "topologies.h"
