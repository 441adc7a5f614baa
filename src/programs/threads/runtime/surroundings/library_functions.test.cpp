// What is known about the functions of the C library is about functions that exist, and what is not
// known counts as the worst.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <string>

#include "programs/threads/runtime/surroundings/library_calls.hpp"

namespace mazurka::threads {
namespace {

using Of = LibraryFunction::Of;

Of of(const char* name) {
  EXPECT_NE(dlsym(RTLD_DEFAULT, name), nullptr) << name;
  return library_function(name).of;
}

TEST(LibraryFunctions, PureOnesAreHarmless) {
  for (const char* name : {"bsearch", "toupper", "strcasecmp_l", "sysconf", "div"}) {
    EXPECT_FALSE(library_function(name).does_something()) << name;
    EXPECT_EQ(of(name), Of::nothing) << name;
  }
}

TEST(LibraryFunctions, WhatIsNotKnownChangesEverything) {
  for (const char* name : {"hsearch", "strfry", "getpwnam", "tmpnam", "getopt", "inet_ntoa"}) {
    EXPECT_EQ(of(name), Of::everything) << name;
    EXPECT_EQ(library_function(name).use, Use::changes) << name;
  }
  EXPECT_EQ(library_function("of_a_later_version").of, Of::everything);
}

TEST(LibraryFunctions, StreamsAreFoundInTheirArguments) {
  EXPECT_EQ(of("feof"), Of::stream);
  EXPECT_EQ(library_function("feof").argument, 0);
  EXPECT_EQ(of("fputwc"), Of::stream);
  EXPECT_EQ(library_function("fputwc").argument, 1);
  EXPECT_EQ(of("fwrite_unlocked"), Of::stream);
  EXPECT_EQ(library_function("fwrite_unlocked").argument, 3);
}

TEST(LibraryFunctions, AStarStandsForTheRestOfAName) {
  EXPECT_EQ(of("isalnum"), Of::nothing);
  EXPECT_EQ(of("mkdirat"), Of::nothing);
  EXPECT_EQ(library_function("getpwnam_r").of, Of::nothing);
  EXPECT_EQ(library_function("i").of, Of::everything);
}

TEST(LibraryFunctions, MemoryThatTheyWrite) {
  const LibraryFunction function = library_function("gmtime_r");
  ASSERT_TRUE(function.does_something());
  EXPECT_FALSE(function.touches[0].writes);
  EXPECT_EQ(function.touches[1].argument, 1);
  EXPECT_TRUE(function.touches[1].writes);
}

}  // namespace
}  // namespace mazurka::threads
