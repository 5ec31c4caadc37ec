package boxes

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

func TestTiles(t *testing.T) {
	tiles := Tiles{Origin: [3]float64{1, 0, -1}, Edge: .5, Dim: [3]int{2, 3, 4}}
	if whole := tiles.Whole(); whole.Min != (r3.Vec{X: 1, Z: -1}) || whole.Max != (r3.Vec{X: 2, Y: 1.5, Z: 1}) || tiles.Len() != 24 {
		t.Errorf("%d tiles fill %v", tiles.Len(), whole)
	}
	for i := range int32(tiles.Len()) {
		x := tiles.Centre(i)
		if got := tiles.At(x); got != i {
			t.Errorf("the middle of tile %d, %v, is in %d", i, x, got)
		}
		var one []int32
		tiles.Each(Grown(r3.Box{Min: x, Max: x}, .1), func(i int32) { one = append(one, i) })
		if !slices.Equal(one, []int32{i}) {
			t.Errorf("a box in tile %d overlaps %v", i, one)
		}
	}
	if first, last := tiles.At(r3.Vec{X: -9, Y: -9, Z: -9}), tiles.At(r3.Vec{X: 9, Y: 9, Z: 9}); first != 0 || last != 23 {
		t.Errorf("far away are %d and %d", first, last)
	}
	var some []int32
	tiles.Each(r3.Box{Min: r3.Vec{X: 1.2, Y: .6, Z: -5}, Max: r3.Vec{X: 1.7, Y: .7, Z: -.4}}, func(i int32) { some = append(some, i) })
	if want := []int32{2, 3, 8, 9}; !slices.Equal(some, want) {
		t.Errorf("tiles %v, want %v", some, want)
	}
}
