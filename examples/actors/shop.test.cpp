// The same shop from a test: any test framework will do, this one is `if`.
//
//   g++ -std=c++20 -Iinclude examples/actors/shop.test.cpp -Lbuild/lib -lmazurka-actors
#include <cstdio>

#define main shop_main
#include "shop.cpp"
#undef main

int main() {
  const mazurka::CheckResult result = mazurka::check(shop);
  if (result.verified()) {
    std::printf("verified: %llu executions\n", static_cast<unsigned long long>(result.executions));
    return 0;
  }
  for (const mazurka::Problem& problem : result.problems) {
    std::printf("%s\n%s\n", problem.message.c_str(), problem.chart.c_str());
  }
  return 1;
}
