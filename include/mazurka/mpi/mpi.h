/* MPI for programs under test: the interface of MPI 3.1 in C, and what of MPI 4 goes with it.
 *
 * Types and values are those of the standard's binary interface (MPI 5.0, chapter "Application
 * Binary Interface"), but for what stands in the place of ranks, tags and statuses: these values
 * are none that a program comes to by mistake, as -1 and null are. A handle is a pointer to
 * something that is never defined: predefined objects are small constants, others are numbers that
 * the checker gives out. Zero is never a handle, so one that was not initialised is recognised.
 * Constants are macros, not enumerators: they are ints in arithmetic and in conditional
 * expressions, without warnings in C++.
 *
 * The functions stand in ../mpi_interface, once each; here they are declared as MPI_ and as PMPI_.
 * All of them can be called; what the checker does not support it refuses by name when it is
 * called.
 */
#ifndef MAZURKA_MPI_MPI_H_
#define MAZURKA_MPI_MPI_H_

#include <stdint.h>

#define MAZURKA_MPI_HEADER 1 /* whose header this is, for programs that want to know */

#define MPI_VERSION 3
#define MPI_SUBVERSION 1
#define MPI_ABI_VERSION 1
#define MPI_ABI_SUBVERSION 0

#include "../mpi_interface/constants.h"
#include "../mpi_interface/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MAZURKA_MPI_FUNCTION(result, name, parameters) \
  result MPI_##name parameters;                        \
  result PMPI_##name parameters;
#include "../mpi_interface/functions.h"
#undef MAZURKA_MPI_FUNCTION

#ifdef __cplusplus
}
#endif

#endif /* MAZURKA_MPI_MPI_H_ */
