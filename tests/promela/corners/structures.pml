/* Structures as messages and in arrays, mtype, short values. */
mtype = {a,b}; typedef R { mtype m; short v[2]; bit f }; R r[2]; chan q = [2] of {R};
active proctype P() { R t; t.m = a; t.v[1] = -3; q!t; t.m = b; t.f = 1; q!t }
active proctype Q() { R u; byte i; i = 0; do :: i < 2 -> q?u; r[i].m = u.m; r[i].v[1-i] = u.v[1]*300; i++ :: else -> break od; assert(r[0].v[1] == -900 && r[1].m == b) }
