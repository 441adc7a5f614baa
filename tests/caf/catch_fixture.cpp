// Tests with a fixture, explored for every order: with Catch2.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#include "caf/warehouse.hpp"

using mazurka::caf_test::WarehouseFixture;

TEST_CASE("a careful desk sells what there is") {
  const auto result = mazurka::caf::check(&WarehouseFixture::sells_what_there_is);
  INFO(result.text());
  CHECK(result.verified());
}

TEST_CASE("a careless one sells it twice") {
  const auto result = mazurka::caf::check(&WarehouseFixture::sells_what_there_is_carelessly);
  INFO(result.text());
  CHECK_FALSE(result.verified());
}
