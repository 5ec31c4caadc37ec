package scene

// underPass makes the farther liquids a part of the scene that a liquid is seen before.
var underPass = pass{name: "under", inputs: []string{"mix"}, outputs: []string{"scene"}, each: true, draw: drawUnder}

func drawUnder(f *frame) error {
	if f.farther != nil {
		f.target("mix").copyTo(f.gs, f.target("scene"))
	}
	return nil
}
