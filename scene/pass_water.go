package scene

// waterPass draws a liquid with its droplets and white water, and what was added to its node.
var waterPass = pass{name: "water", inputs: []string{"scene", "interval", "behind", "mirror", "shadow", "front", "foam", "shafts"}, outputs: []string{"mix"}, each: true, draw: drawWater}

func drawWater(f *frame) error {
	s, l := f.stage, f.liquid
	s.hideHUDs(l)
	o, scene := l.shared, f.target("scene")
	o.refract, o.color, o.depth, o.interval = true, scene.color(), scene.depth, f.target("interval").color()
	o.mirror, o.behind = f.mirrors(), f.backdrop()
	o.width, o.height = f.w, f.h
	o.front, o.foam = f.target("front").color(), 0
	if f.foamy() {
		o.foam = f.target("foam").color()
	}
	l.showSprites(s.quality != DrawLow)
	l.bodies.SetVisible(false)
	f.begin("mix")
	err := f.render(l)
	l.bodies.SetVisible(true)
	l.showSprites(false)
	o.refract, o.color, o.depth, o.interval, o.mirror, o.behind = false, 0, 0, 0, mirrored{}, backdrop{} // they are this stage's, which may end first
	o.front, o.foam, o.shafts = 0, 0, 0
	return err
}

// hideHUDs hides a liquid's HUDs until after antialiasing, so that letters stay sharp.
func (s *stage) hideHUDs(l *Liquid) {
	for _, c := range l.Children() {
		if h, ok := c.(*HUD); ok && h.Visible() {
			h.SetVisible(false)
			s.huds = append(s.huds, h)
		}
	}
}
