package control

// gramColumns is the number of columns processed at a time: 60 rows of them fit in a core's cache.
const gramColumns = 512

// addGram adds sign times the rows' products with each other to the lower half of g.
func addGram(g, rows [][]float64, sign float64) {
	if len(rows) == 0 {
		return
	}
	for lo := 0; lo < len(rows[0]); lo += gramColumns {
		hi := min(lo+gramColumns, len(rows[0]))
		for i := 0; i < len(rows); i += 2 {
			second := min(i+1, len(rows)-1)
			a, b := rows[i][lo:hi], rows[second][lo:hi]
			for j := 0; j <= second; j += 4 {
				var k [4]int
				for c := range k {
					k[c] = min(j+c, len(rows)-1)
				}
				p := products(a, b, rows[k[0]][lo:hi], rows[k[1]][lo:hi], rows[k[2]][lo:hi], rows[k[3]][lo:hi])
				for c := range 4 {
					if j+c <= i {
						g[i][j+c] += float64(sign * p[c])
					}
					if second > i && j+c <= second {
						g[second][j+c] += float64(sign * p[4+c])
					}
				}
			}
		}
	}
}

// products returns the products of a with c, d, e and f, then those of b: eight independent sums, for speed.
func products(a, b, c, d, e, f []float64) (p [8]float64) {
	b, c, d, e, f = b[:len(a)], c[:len(a)], d[:len(a)], e[:len(a)], f[:len(a)]
	var p0, p1, p2, p3, p4, p5, p6, p7 float64
	for i, x := range a {
		y := b[i]
		p0 += float64(x * c[i])
		p4 += float64(y * c[i])
		p1 += float64(x * d[i])
		p5 += float64(y * d[i])
		p2 += float64(x * e[i])
		p6 += float64(y * e[i])
		p3 += float64(x * f[i])
		p7 += float64(y * f[i])
	}
	return [8]float64{p0, p1, p2, p3, p4, p5, p6, p7}
}

// dotDifference returns w·(x - y).
func dotDifference(w, x, y []float64) (sum float64) {
	x, y = x[:len(w)], y[:len(w)]
	for i := range w {
		sum += float64(w[i] * (x[i] - y[i]))
	}
	return sum
}
