package stuffing

import "math"

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
	mostShapes = classSlots / 2
)

// unknownClass is what classOf returns for a tetrahedron whose class isn't in the table.
const unknownClass = math.MaxInt32

// Vectors between corners are whole quarters of the edge of the first corner's leaf, of at most two edges: a digit each.
const (
	quarters  = 4
	digit     = 32      // digits are -15 to 15
	keyOffset = 1 << 60 // above all that the digits add up to
)

// classOf is the class of a tetrahedron of the lattice, with the level of its size: shape·levels + level.
func (m *Mesher) classOf(c *[4]int32) int32 {
	level := m.l.Level[c[0]]
	key := m.keyOf(c, level)
	for i := slotOf(key); ; i = (i + 1) % classSlots {
		switch s := &m.classes.table[i]; s.key {
		case key:
			return s.class*levels + int32(level)
		case 0:
			return unknownClass
		}
	}
}

func slotOf(key uint64) uint64 { return key * 0x9e3779b97f4a7c15 >> (64 - classBits) }

// keyOf packs the vectors from the first corner to the others.
func (m *Mesher) keyOf(c *[4]int32, level uint8) uint64 {
	pos, scale := m.l.Position, m.scale[level]
	p := &pos[c[0]]
	key := int64(0)
	for _, v := range c[1:] {
		q := &pos[v]
		sum := (q[0] - p[0]) + float64((q[1]-p[1])*digit) + float64((q[2]-p[2])*(digit*digit))
		key = key*(digit*digit*digit) + int64(math.RoundToEven(float64(sum*scale)))
	}
	return uint64(key + keyOffset)
}

// learnClasses adds the classes of tetrahedra that fillTets has not found in the table.
func (m *Mesher) learnClasses() {
	mesh, k := &m.Mesh, &m.classes
	k.leaf, mesh.shared = m.leaf, k
	for c, n := range m.tets {
		if n.unknown == 0 {
			continue
		}
		end := int32(mesh.Tets())
		if c+1 < len(m.tets) {
			end = m.tets[c+1].all
		}
		for id := n.all; id < end; id++ {
			if mesh.Geometry[id] == ^unknownClass {
				corners := &m.l.Corners[mesh.Source[id]]
				if m.classOf(corners) == unknownClass {
					k.add(m, corners)
				}
				mesh.Geometry[id] = ^m.classOf(corners)
			}
		}
	}
}

func (k *classes) add(m *Mesher, c *[4]int32) {
	if len(k.shapes) == mostShapes {
		panic("stuffing: the lattice has more kinds of tetrahedra than a graded one can have")
	}
	level := m.l.Level[c[0]]
	key := m.keyOf(c, level)
	i := slotOf(key)
	for k.table[i].key != 0 {
		i = (i + 1) % classSlots
	}
	k.table[i] = classSlot{key, int32(len(k.shapes))}
	var at [4][3]float64
	for corner, v := range c {
		d := difference(&m.l.Position[v], &m.l.Position[c[0]])
		for a, x := range [3]float64{d.X, d.Y, d.Z} {
			at[corner][a] = math.RoundToEven(float64(x * m.scale[level]))
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
