/* New lines in the place of semicolons, and lines that go on where they do. */
typedef Pair {
	byte left
	byte right
}
byte sum, rounds
chan q = [2] of { byte, byte }
inline add(what) {
	sum = sum + what
	rounds++
}
active proctype P() {
	Pair p
	byte i
	p.left = 1
	p.right = 2
	for (i : 1 .. 2)
	{
		add(p.left)
	}
	if
	:: sum == 2 ->
		q!p.left,
		  p.right
	:: else
		assert(false)
	fi
	do
	:: i == 3
		i = 7
		break
	:: else -> break
	od
	atomic {
		i = 9
		(i == 9)
	}
}
active proctype Q() {
	byte a, b
	short c
	q?a,b
	c = b
	-c < 0
	assert(a == 1 &&
	       b == 2)
	goto done
	assert(false)
done:	skip
}
