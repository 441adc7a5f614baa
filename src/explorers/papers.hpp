// The papers that the techniques come from. docs/papers.md says what each of them brings, and what
// we found wrong in it.
#pragma once

#include <string_view>

namespace mazurka::papers {

inline constexpr std::string_view sleep_sets =
    "Godefroid: Partial-Order Methods for the Verification of Concurrent Systems, LNCS 1032, 1996";
inline constexpr std::string_view dpor =
    "Flanagan, Godefroid: Dynamic Partial-Order Reduction for Model Checking Software, POPL 2005";
inline constexpr std::string_view optimal =
    "Abdulla, Aronis, Jonsson, Sagonas: Optimal Dynamic Partial Order Reduction, POPL 2014";
inline constexpr std::string_view context =
    "Albert, Arenas, Garcia de la Banda, Gomez-Zamalloa, Stuckey: Context-Sensitive Dynamic "
    "Partial "
    "Order Reduction, CAV 2017; repaired";
inline constexpr std::string_view observers =
    "Aronis, Jonsson, Lang, Sagonas: Optimal Dynamic Partial Order Reduction with Observers, TACAS "
    "2018";
inline constexpr std::string_view optimal_context =
    "Albert, Garcia de la Banda, Gomez-Zamalloa, Isabel, Stuckey: Optimal Dynamic Partial Order "
    "Reduction with Context-Sensitive Independence and Observers, JSS 2023; repaired";
inline constexpr std::string_view reverse =
    "Avis, Fukuda: Reverse Search for Enumeration, Discrete Applied Mathematics 65, 1996; our own "
    "for "
    "traces";
inline constexpr std::string_view graphs =
    "Kokologiannakis, Marmanis, Gladstein, Vafeiadis: Truly Stateless, Optimal Dynamic Partial "
    "Order "
    "Reduction, POPL 2022";
inline constexpr std::string_view bounded =
    "Musuvathi, Qadeer: Iterative Context Bounding for Systematic Testing of Multithreaded "
    "Programs, "
    "PLDI 2007";
inline constexpr std::string_view pct =
    "Burckhardt, Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler with Probabilistic "
    "Guarantees "
    "of Finding Bugs, ASPLOS 2010";
inline constexpr std::string_view trans =
    "Tasharofi, Karmani, Lauterburg, Legay, Marinov, Agha: TransDPOR, a Novel Dynamic "
    "Partial-Order "
    "Reduction Technique for Testing Actor Programs, FORTE 2012";
inline constexpr std::string_view unfolding =
    "Pham, Jeron, Quinson: Unfolding-Based Dynamic Partial Order Reduction of Asynchronous "
    "Distributed "
    "Programs, FORTE 2019; Rodriguez, Sousa, Sharma, Kroening: Unfolding-Based Partial Order "
    "Reduction, CONCUR 2015; Nguyen, Rodriguez, Sousa, Coti, Petrucci: Quasi-Optimal Partial Order "
    "Reduction, CAV 2018";
inline constexpr std::string_view stateful =
    "Herbreteau, Larroze-Jardine, Point, Walukiewicz: Revisiting Stateful Partial-Order Reduction, "
    "2024";

}  // namespace mazurka::papers
