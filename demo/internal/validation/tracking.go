package validation

import (
	"fmt"

	"github.com/meniscus3d/meniscus/fluid/tracktest"
)

// trackedCells is how many cells are along the cube of V12 and V13.
const trackedCells = 96

// zalesak is V12: a slotted sphere turned once around.
func zalesak() ([]Row, error) {
	return tracked("V12", "Zalesak's slotted sphere", tracktest.Zalesak(trackedCells), 10), nil
}

// enright is V13: a sphere pulled to a sheet thinner than a cell, and back.
func enright() ([]Row, error) {
	return tracked("V13", "Enright's sphere", tracktest.Enright(trackedCells), 10), nil
}

// tracked is the rows of a shape, which may differ from what it was by so many percent.
func tracked(id, shape string, t tracktest.Result, l1 float64) []Row {
	text := fmt.Sprintf("%s, level set with markers, %d cells:", shape, trackedCells)
	return []Row{
		row(id, text+" volume kept", 100*t.Volume, 100, 5, "%"),
		row(id, text+" volume that lies elsewhere", 100*t.L1, 0, l1, "%"),
	}
}
