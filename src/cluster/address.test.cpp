#include "cluster/address.hpp"

#include <gtest/gtest.h>

#include "host/files.hpp"

namespace mazurka::cluster {
namespace {

TEST(Address, OnlyTheHostMustBeTold) {
  EXPECT_EQ(parse_address("redis://server"), (Address{"server", 6379, "", "", 0}));
  EXPECT_EQ(parse_address("redis://server:7000/3"), (Address{"server", 7000, "", "", 3}));
  EXPECT_EQ(parse_address("redis://server/"), (Address{"server", 6379, "", "", 0}));
}

TEST(Address, HasAUserAndAPassword) {
  const Address whole = parse_address("redis://ann:s%40cret:x@[::1]:7000/1");
  EXPECT_EQ(whole, (Address{"::1", 7000, "ann", "s@cret:x", 1}));
  EXPECT_EQ(whole.shown(), "redis://ann@[::1]:7000/1");
  EXPECT_EQ(parse_address("redis://:secret@server").password, "secret");
  EXPECT_EQ(parse_address("redis://:secret@server").shown(), "redis://server:6379");
}

TEST(Address, WhatIsWrongIsTold) {
  for (const char* const wrong :
       {"server", "http://server", "redis://", "redis://server:0", "redis://server:70000",
        "redis://server:x", "redis://server/x", "redis://a:b@", "redis://[::1", "redis://[::1]x",
        "redis://a:%4@server", "redis://server:"}) {
    EXPECT_THROW((void)parse_address(wrong), host::InputError) << wrong;
  }
}

}  // namespace
}  // namespace mazurka::cluster
