// The colour of the k-th of several.
export const tone = (k) => 'p' + ((k + 1) % 7);
