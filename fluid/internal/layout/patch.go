package layout

// What a tile takes from a neighbour depends on the two levels and on where the neighbour lies, and on
// nothing else, so it is worked out once: a patch lists the places and where their values come from.

// centred is the kind of a cell field; the axes 0 to 2 are those of the face fields.
const centred = 3

// taken is a place of a tile, and the cell of the neighbour that holds its value, or the first of those
// in the middle of which it lies if the neighbour is finer.
type taken struct{ to, from uint16 }

// blended is eight places of a tile, and the corners of the cubes in a coarser neighbour's tile that they lie in, with
// the weights along x, y and z.
type blended struct {
	from   [lanes]int32
	weight [3][lanes]float32
	to     [lanes]uint16
}

// patch is what a tile takes from a neighbour: taken, or blended where that is coarser. In a face
// field it goes from the first plane along the axis to the last, which is stored in the block beyond
// the neighbour.
type patch struct {
	taken   []taken
	plane   int    // how many make up one
	size    [3]int // places along each axis, without the last plane of a face field
	blended []blended
	blends  int // how many places that are
	dy, dz  int // strides of the neighbour's tile
}

// patches are by kind, level, neighbour's level, and neighbour as in Grid.around. Face fields have those in
// the plane across the axis.
var patches = makePatches()

func makePatches() (all [centred + 1][MaxLevel + 1][MaxLevel + 1][27]patch) {
	for kind := range all {
		for l := range all[kind] {
			for nl := range all[kind][l] {
				for c := range 27 {
					o := [3]int{c%3 - 1, c/3%3 - 1, c/9 - 1}
					if kind == centred || o[kind] == 0 {
						all[kind][l][nl][c] = makePatch(kind, 1<<l, 1<<nl, o)
					}
				}
			}
		}
	}
	return all
}

// order is the order in which the places of a kind are listed, the axis of the slowest change last.
func order(kind int) (p, q, slow int) {
	if kind == centred {
		return 0, 1, 2
	}
	return (kind + 1) % 3, (kind + 2) % 3, kind
}

// makePatch lists what a block of n³ cells takes from a neighbour of m³ that lies towards o.
func makePatch(kind, n, m int, o [3]int) (k patch) {
	var lo, hi [3]int
	for a := range lo {
		lo[a], hi[a] = span(o[a], n)
	}
	for a := range lo {
		k.size[a] = hi[a] - lo[a]
	}
	if kind != centred {
		hi[kind] = n + 1
	}
	p, q, slow := order(kind)
	k.plane = (hi[p] - lo[p]) * (hi[q] - lo[q])
	d := dims(m, kind)
	k.dy, k.dz = d[0], d[0]*d[1]
	var at [3]int
	for at[slow] = lo[slow]; at[slow] < hi[slow]; at[slow]++ {
		for at[q] = lo[q]; at[q] < hi[q]; at[q]++ {
			for at[p] = lo[p]; at[p] < hi[p]; at[p]++ {
				to := place(kind, n, at)
				if m < n {
					from, w := cubeAt(kind, n, m, at, o)
					k.addBlended(to, from, w)
				} else {
					k.taken = append(k.taken, taken{to, cellAt(kind, n, m, at, o)})
				}
			}
		}
	}
	return k
}

// addBlended adds a place to the list. It also takes what is left of its eight, which the kernel fills as well.
func (k *patch) addBlended(to, from uint16, weight [3]float32) {
	lane := k.blends % lanes
	if lane == 0 {
		k.blended = append(k.blended, blended{})
	}
	k.blends++
	e := &k.blended[len(k.blended)-1]
	for i := lane; i < lanes; i++ {
		e.to[i], e.from[i] = to, int32(from)
		for a, w := range weight {
			e.weight[a][i] = w
		}
	}
}

// place is the index in a tile of a place, -1 to n, or from 0 on along the axis of a face field.
func place(kind, n int, at [3]int) uint16 {
	i, stride := 0, 1
	for a, d := range dims(n, kind) {
		if a != kind {
			at[a]++
		}
		i += at[a] * stride
		stride *= d
	}
	return uint16(i)
}

// cellAt is the cell of a neighbour, at least as fine, that holds a place's value, or the first of the
// middle ones there; that of the last plane lies in the first one of the next block.
func cellAt(kind, n, m int, at, o [3]int) uint16 {
	r := m / n
	i, stride := 0, 1
	for a := range at {
		if a == kind {
			i += at[a] % n * r * stride
		} else {
			i += ((at[a]-o[a]*n)*r + max(r/2-1, 0)) * stride
		}
		stride *= m
	}
	return uint16(i)
}

// cubeAt is the corner of the cube of eight values in a coarser neighbour's tile that a place lies in.
func cubeAt(kind, n, m int, at, o [3]int) (from uint16, weight [3]float32) {
	s := float32(m) / float32(n)
	i, stride := 0, 1
	for a, d := range dims(m, kind) {
		x := float32(at[a]) * s
		last := m - 1
		if a != kind {
			x = float32((float32(at[a]-o[a]*n)+.5)*s) + .5
			last = m
		}
		j := min(int(x), last)
		weight[a] = x - float32(j)
		i += j * stride
		stride *= d
	}
	return uint16(i), weight
}

// box is what a tile takes from a neighbour of its own level: its lowest place, the cell that holds the value,
// and how many along each axis: 1, 2, 4 or 8. From the end of a plane's last row it is skip values on to the next plane, in the tile and
// in the neighbour.
type box struct {
	taken
	size [3]uint8
	skip [2]int16
}

// runs are by kind, level, and neighbour as in Grid.around; of face fields first what lies in the neighbour,
// then the last plane.
var runs = makeRuns()

func makeRuns() (all [centred + 1][MaxLevel + 1][27][2]box) {
	for kind := range all {
		for l := range all[kind] {
			for c := range all[kind][l] {
				k, b := &patches[kind][l][l][c], &all[kind][l][c]
				if len(k.taken) == 0 {
					continue
				}
				b[0] = makeBox(k.taken[0], k.size, kind, 1<<l)
				if kind != centred {
					size := k.size
					size[kind] = 1
					b[1] = makeBox(k.taken[len(k.taken)-k.plane], size, kind, 1<<l)
				}
			}
		}
	}
	return all
}

func makeBox(first taken, size [3]int, kind, n int) box {
	d := dims(n, kind)
	skip := [2]int16{int16(d[0] * (d[1] - size[1])), int16(n * (n - size[1]))}
	return box{first, [3]uint8{uint8(size[0]), uint8(size[1]), uint8(size[2])}, skip}
}

// copies lists what a tile takes from neighbours of its own level.
type copies struct {
	list  [27]boxCopy // a component of the velocity takes two from each of nine blocks
	count int
}

// boxCopy is a box, and the neighbour's values.
type boxCopy struct {
	src []float32
	box *box
}

// add lists a box to be filled from the n³ values of src that begin at the neighbour's first cell.
func (c *copies) add(b *box, src []float32, first int32, n int) {
	c.list[c.count] = boxCopy{src[first:][:n*n*n], b}
	c.count++
}

// fill fills the listed boxes of a tile of a block of n³ cells, and empties the list.
func (c *copies) fill(dst []float32, n, kind int) {
	copyBoxes(dst, c, int(shapes[n][kind].dy), n)
	c.count = 0
}

// copyBoxes fills the listed boxes of a tile whose rows lie dy apart; those of the blocks they are taken from lie n apart. It exists in
// plain Go, here, and in assembly for processors with AVX2.
var copyBoxes = copyBoxesGo

func copyBoxesGo(dst []float32, c *copies, dy, n int) {
	for _, e := range c.list[:c.count] {
		b := e.box
		to, from := int(b.to), int(b.from)
		for range b.size[2] {
			for range b.size[1] {
				copy(dst[to:][:b.size[0]], e.src[from:])
				to, from = to+dy, from+n
			}
			to, from = to+int(b.skip[0]), from+int(b.skip[1])
		}
	}
}

// blend fills places of a tile from the tile of a coarser neighbour.
func (k *patch) blend(dst, src []float32) {
	if k.blends < leastBlends {
		blendGo(k, dst, src)
		return
	}
	blend(k, dst, src)
}

// leastBlends is how many places of eight the kernel is faster for.
const leastBlends = 4

// blend is the kernel of patch.blend. It exists in plain Go, here, and in assembly for processors with AVX2; both give
// the same bits.
var blend = blendGo

func blendGo(k *patch, dst, src []float32) {
	for i := range k.blends {
		e, l := &k.blended[i/lanes], i%lanes
		dst[e.to[l]] = trilinear(src[e.from[l]:], k.dy, k.dz, e.weight[0][l], e.weight[1][l], e.weight[2][l])
	}
}

// seal continues a tile beyond the grid's sides as it is at them.
func (g *Grid) seal(b int32, dst []float32, kind, n int) {
	d := dims(n, kind)
	stride := [3]int{1, d[0], d[0] * d[1]}
	for a := range 3 {
		if a == kind {
			continue
		}
		p, q := (a+1)%3, (a+2)%3
		for side, nb := range g.Neighbour[b][2*a : 2*a+2] {
			if nb != None {
				continue
			}
			at, inwards := side*(n+1)*stride[a], (1-2*side)*stride[a]
			for range d[q] {
				i := at
				for range d[p] {
					dst[i] = dst[i+inwards]
					i += stride[p]
				}
				at += stride[q]
			}
		}
	}
}
