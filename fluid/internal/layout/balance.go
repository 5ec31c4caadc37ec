package layout

// Balance is which blocks may differ by one level at most.
type Balance uint8

const (
	// BalanceFaces holds for blocks that share a face: what cubes need, whose faces have one coarser side at most.
	BalanceFaces Balance = iota
	// BalanceEdges holds for blocks that share a face or an edge: what a graded lattice of tetrahedra needs, each of which lies around one edge
	// of a cell. Blocks that share a corner alone may still differ by more.
	// Source: Labelle, Shewchuk 2007 (weak balance).
	BalanceEdges
)

// SetBalance chooses which blocks Balanced names. It belongs right after New, while all levels are equal. Of a grid that nobody calls it for the
// balance is BalanceFaces.
func (g *Grid) SetBalance(balance Balance) {
	g.balance, g.beside = balance, nil
	if balance != BalanceEdges {
		return
	}
	g.beside = make([][18]int32, g.Bases())
	for b := range g.beside {
		list := append(g.beside[b][:0], g.Neighbour[b][:]...)
		for c, nb := range g.around[b] {
			if apart := c%3&1 + c/3%3&1 + c/9&1; apart == 1 { // coordinates in which it is the same
				list = append(list, nb)
			}
		}
	}
}

// Balance is what SetBalance chose.
func (g *Grid) Balance() Balance { return g.balance }

// Balanced are the base cells whose levels may differ by one at most from that of b: those across faces, in the order of Neighbour, and after them with
// BalanceEdges those across edges. None stands for those beyond the grid.
func (g *Grid) Balanced(b int32) []int32 {
	if g.beside != nil {
		return g.beside[b][:]
	}
	return g.Neighbour[b][:]
}

// FindUnbalanced returns the first base cell, and one that Balanced names beside it, that differ by more than a level; None, None if there is no such.
//
// levels: len = base cells.
func (g *Grid) FindUnbalanced(levels []uint8) (b, beside int32) {
	for b, l := range levels {
		for _, nb := range g.Balanced(int32(b)) {
			if nb != None && levels[nb] > l+1 {
				return int32(b), nb
			}
		}
	}
	return None, None
}
