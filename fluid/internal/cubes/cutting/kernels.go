package cutting

// The kernels exist in plain Go, here, and in assembly for processors with AVX2; both give the same bits.
var (
	// measure finds what is solid of the parts of a cube, and which are to be cut up again.
	measure = measureGo
	// cutPanes finds what is solid of four squares, and which are to be cut up.
	cutPanes = cutPanesGo
	// lessEights is less for blocks of at least eight cells.
	lessEights = lessGo
)

// less finds the cells where v, one value per cell of a block, is less than another number.
func less(v []float32, than float32, to *mask) {
	if *to = (mask{}); len(v) < 8 {
		lessGo(v, than, to)
	} else {
		lessEights(v, than, to)
	}
}

func lessGo(v []float32, than float32, to *mask) {
	for i, x := range v {
		to[i>>6] |= uint64(bit(x < than)) << (i & 63)
	}
}

// bit is 1 or 0.
func bit(set bool) (b uint32) {
	if set {
		b = 1
	}
	return b
}

// eighths is a cube that is cut into eight parts. Distances are in edges of a part.
type eighths struct {
	at      [32]float32 // at the cube's 3³ points, x fastest; the last five are none
	middles [8]float32  // at the middles of the parts
	crooked float32     // the parts where the middle is further than this from the mean of the corners are to be cut up again

	// Of the others, measure finds what is solid.
	again   uint32  // those that are to be cut up, as bits
	solid   float32 // what is solid of the cube, in those that are not
	x, y, z float32 // its moments about the cube's low corner, in units of the cube
}

// points is how many points eighths has but for the middles.
const points = 3 * 3 * 3

// Of the points: each part's low corner, and the way from there to its corners.
var partFirst = [8]int{0, 1, 3, 4, 9, 10, 12, 13}

var partStep = partFirst

func measureGo(p *eighths) {
	var total, x, y, z [8]float32
	p.again = 0
	for o, first := range partFirst {
		var d [8]float32
		neg, pos := false, false
		for i, step := range partStep {
			d[i] = p.at[first+step]
			neg, pos = neg || d[i] < 0, pos || d[i] > 0
		}
		at := [3]float32{.125 + float32(.5*float32(o&1)), .125 + float32(.5*float32(o>>1&1)), .125 + float32(.5*float32(o>>2))}
		switch off := float32(add8(&d)*(1./8)) - p.middles[o]; {
		case neg && pos && max(off, -off) > p.crooked:
			p.again |= 1 << o
		case neg && pos:
			e := max(-.1, min(.1, float32(2./3*off)))
			for i := range d {
				d[i] -= e
			}
			octantsGo(&d)
			total[o] = add8(&d)
			x[o] = float32(at[0]*total[o]) + float32(.25*((d[1]+d[3])+(d[5]+d[7])))
			y[o] = float32(at[1]*total[o]) + float32(.25*((d[2]+d[3])+(d[6]+d[7])))
			z[o] = float32(at[2]*total[o]) + float32(.25*((d[4]+d[5])+(d[6]+d[7])))
		case neg:
			total[o], x[o], y[o], z[o] = 8, float32(at[0]*8)+1, float32(at[1]*8)+1, float32(at[2]*8)+1
		}
	}
	p.solid, p.x, p.y, p.z = add8(&total)*(1./64), add8(&x)*(1./64), add8(&y)*(1./64), add8(&z)*(1./64)
}

// add8 adds up eight numbers by twos.
func add8(v *[8]float32) float32 {
	return ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]))
}

// octantsGo makes of the distances at a part's corners, by linear values at the middles of the octants there, the part
// of each that is solid.
func octantsGo(d *[8]float32) {
	for _, step := range [3]int{1, 2, 4} {
		for lo := range d {
			if lo&step == 0 {
				q := float32(.25 * (d[lo|step] - d[lo]))
				d[lo], d[lo|step] = d[lo]+q, d[lo|step]-q
			}
		}
	}
	for i, v := range d {
		d[i] = max(0, min(1, .5-(v+v)))
	}
}
