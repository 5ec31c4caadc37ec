package stuffing

// classes are the tetrahedra of the lattice by shape, orientation and order of corners. Those of one class share their geometry, scaled by the size
// of the leaf. There are some hundred; one that is met for the first time is added.
type classes struct {
	leaf   [levels]float64 // m, edge of leaves by level
	shapes []Shape         // in quarters of a leaf's edge
	table  [classSlots]classSlot
}

type classSlot struct {
	key   uint64 // 0 for none
	class int32
}

const (
	classBits  = 13
	classSlots = 1 << classBits
	mostShapes = classSlots / 4 // any beyond have geometry of their own
)

// What classOf returns for a tetrahedron without a class: it is not in the table, or can't be.
const (
	unknownClass = -1 - iota
	noClass
)

// Vectors between corners are whole quarters of the edge of the first corner's leaf, of at most two edges.
const (
	quarters     = 4
	vectorBits   = 5
	vectorOffset = 1 << (vectorBits - 1)
)

// classOf is the class of a tetrahedron of the lattice, with the level of its size: shape·levels + level.
func (m *Mesher) classOf(t int32) int32 {
	c := &m.l.Corners[t]
	level := m.l.Level[c[0]]
	key, ok := m.keyOf(c, quarters/m.leaf[level])
	if !ok {
		return noClass
	}
	k := &m.classes
	for i := key * 0x9e3779b97f4a7c15 >> (64 - classBits); ; i = (i + 1) % classSlots {
		switch s := &k.table[i]; s.key {
		case key:
			return s.class*levels + int32(level)
		case 0:
			if len(k.shapes) == mostShapes {
				return noClass
			}
			return unknownClass
		}
	}
}

// keyOf packs the vectors from the first corner to the others, times scale.
func (m *Mesher) keyOf(c *[4]int32, scale float64) (key uint64, ok bool) {
	pos := m.l.Position
	p := &pos[c[0]]
	most := uint64(0)
	for _, v := range c[1:] {
		q := &pos[v]
		for a := range 3 {
			i := uint64(int64(float64((q[a]-p[a])*scale) + (vectorOffset + .5)))
			key, most = key<<vectorBits|i, most|i
		}
	}
	return key, most < 1<<vectorBits
}

// learn adds the classes of what countTets has found to be unknown.
func (k *classes) learn(m *Mesher) {
	k.leaf, m.Mesh.shared = m.leaf, k
	for c := range m.counts {
		if m.counts[c][2] == 0 {
			continue
		}
		for t := c * grain; t < min(m.l.Tets(), (c+1)*grain); t++ {
			code, isMoved := codeOf(m.after, &m.l.Corners[t])
			if stencilOf[code] != kept || isMoved {
				continue
			}
			switch m.classOf(int32(t)) {
			case unknownClass:
				k.add(m, &m.l.Corners[t])
			case noClass:
				m.counts[c][1]++
			}
		}
	}
}

func (k *classes) add(m *Mesher, c *[4]int32) {
	key, _ := m.keyOf(c, quarters/m.leaf[m.l.Level[c[0]]])
	i := key * 0x9e3779b97f4a7c15 >> (64 - classBits)
	for k.table[i].key != 0 {
		i = (i + 1) % classSlots
	}
	k.table[i] = classSlot{key, int32(len(k.shapes))}
	var at [4][3]float64
	for corner := 3; corner > 0; corner-- {
		for a := 2; a >= 0; a-- {
			at[corner][a] = float64(key&(1<<vectorBits-1)) - vectorOffset
			key >>= vectorBits
		}
	}
	k.shapes = append(k.shapes, measureShape(&at[0], &at[1], &at[2], &at[3]))
}

// shape is the geometry of a class.
func (k *classes) shape(class int32) Shape {
	s := k.shapes[class/levels]
	edge := k.leaf[class%levels] / quarters
	area := float64(edge * edge)
	for i := range s.Area {
		for a := range s.Area[i] {
			s.Area[i][a] *= area
		}
	}
	s.Volume *= float64(area * edge)
	return s
}
