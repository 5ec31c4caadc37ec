package main

import (
	"fmt"
	"image/color"
	"path/filepath"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"github.com/meniscus3d/meniscus/demo/internal/report"
	"github.com/meniscus3d/meniscus/fluid"
)

var (
	inkLine   = color.RGBA{40, 90, 150, 255}
	inkBudget = color.RGBA{200, 120, 0, 255}
	inkMiss   = color.RGBA{200, 40, 40, 255}
	inkGrid   = color.RGBA{225, 228, 232, 255}
	inkLevels = [4]color.RGBA{{214, 84, 64, 255}, {232, 186, 66, 255}, {104, 176, 104, 255}, {92, 140, 210, 255}}
	// inkStages go by pairs, dark and light, so that neighbours differ.
	inkStages = [fluid.StageCount]color.RGBA{
		{110, 110, 116, 255}, {190, 192, 198, 255}, {38, 110, 178, 255}, {150, 196, 232, 255}, {44, 138, 70, 255}, {160, 214, 140, 255},
		{150, 96, 40, 255}, {222, 190, 130, 255}, {198, 52, 44, 255}, {246, 158, 148, 255}, {110, 70, 160, 255}, {196, 176, 220, 255},
		{120, 96, 20, 255}, {216, 192, 110, 255}, {90, 160, 160, 255},
	}
)

// plot draws the last run into a folder.
func (p *profile) plot(dir string) error {
	run := &p.Runs[len(p.Runs)-1]
	for _, f := range []struct {
		name string
		draw func(*runSeries) (*plot.Plot, error)
	}{{"step", p.plotStep}, {"stages", p.plotStages}, {"unknowns", p.plotUnknowns}, {"cost", p.plotCost}} {
		pl, err := f.draw(run)
		if err != nil {
			return fmt.Errorf("plot of %s: %w", f.name, err)
		}
		if err := save(pl, filepath.Join(dir, f.name+".png")); err != nil {
			return err
		}
	}
	return nil
}

// newPlot is a plot with titles and a grid.
func newPlot(title, x, y string) *plot.Plot {
	pl := plot.New()
	pl.Title.Text = title
	pl.Title.TextStyle.Font.Size = 14
	pl.Title.Padding = 6
	pl.X.Label.Text, pl.Y.Label.Text = x, y
	pl.X.Padding, pl.Y.Padding = 0, 0
	pl.X.Tick.Marker, pl.Y.Tick.Marker = tens{}, tens{}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = inkGrid, inkGrid
	pl.Add(grid)
	pl.Legend.Top = true
	pl.Legend.Padding = 2
	return pl
}

func (p *profile) title(what string) string {
	return fmt.Sprintf("%s: %s (cells of %g m, %s, %d workers)", p.Scene, what, p.CellM, p.limits(), p.Workers)
}

// ceiling is the top of an axis of times, ms: above the budget too.
func (p *profile) ceiling(run *runSeries) float64 { return max(1.2*p.BudgetMS, above(run.StepMS)) }

// above is the end of an axis: above all values but the rarest, which are drawn on it.
func above(v []float64) float64 { return 1.2 * report.Rank(slices.Sorted(slices.Values(v)), 99) }

// plotStep draws each step's time and the budget. What is beyond the top is drawn on it.
func (p *profile) plotStep(run *runSeries) (*plot.Plot, error) {
	pl := newPlot(p.title("time of a step"), "step", "ms")
	top := p.ceiling(run)
	var all, missed plotter.XYs
	for i, ms := range run.StepMS {
		pt := plotter.XY{X: float64(i + 1), Y: min(ms, top)}
		all = append(all, pt)
		if run.Missed[i] != "" {
			missed = append(missed, pt)
		}
	}
	line, err := plotter.NewLine(all)
	if err != nil {
		return nil, err
	}
	line.Color = inkLine
	pl.Add(line)
	pl.Legend.Add("step", line)
	if len(missed) > 0 {
		dots, err := plotter.NewScatter(missed)
		if err != nil {
			return nil, err
		}
		dots.GlyphStyle = draw.GlyphStyle{Color: inkMiss, Radius: 2.2, Shape: draw.CircleGlyph{}}
		pl.Add(dots)
		pl.Legend.Add(fmt.Sprintf("missed: %d of %d", len(missed), len(all)), dots)
	}
	if err := p.addBudget(pl); err != nil {
		return nil, err
	}
	pl.X.Min, pl.Y.Min, pl.Y.Max = 0, 0, top
	roomForLegend(pl, p.Frames)
	return pl, nil
}

// addBudget draws the budget's line, if there is a budget.
func (p *profile) addBudget(pl *plot.Plot) error {
	if p.BudgetMS == 0 {
		return nil
	}
	line, err := plotter.NewLine(plotter.XYs{{X: 1, Y: p.BudgetMS}, {X: float64(p.Frames), Y: p.BudgetMS}})
	if err != nil {
		return err
	}
	line.Color, line.Width = inkBudget, 1.5
	pl.Add(line)
	pl.Legend.Add("budget", line)
	return nil
}

// layer is one of a stack.
type layer struct {
	name  string
	ink   color.Color
	value func(i int) float64
}

// stack draws layers on top of each other, the first lowest, cut off at the top, and names them from top to bottom.
func stack(pl *plot.Plot, frames int, top float64, layers []layer) error {
	base := make([]float64, frames)
	var drawn []*plotter.Polygon
	for _, l := range layers {
		outline := make(plotter.XYs, 2*frames)
		for i := range base {
			outline[2*frames-1-i] = plotter.XY{X: float64(i + 1), Y: min(base[i], top)}
			base[i] += l.value(i)
			outline[i] = plotter.XY{X: float64(i + 1), Y: min(base[i], top)}
		}
		area, err := plotter.NewPolygon(outline)
		if err != nil {
			return err
		}
		area.Color = l.ink
		area.LineStyle.Width = 0
		pl.Add(area)
		drawn = append(drawn, area)
	}
	for i := len(layers) - 1; i >= 0; i-- {
		pl.Legend.Add(layers[i].name, drawn[i])
	}
	return nil
}

// plotStages draws what each stage takes of each step.
func (p *profile) plotStages(run *runSeries) (*plot.Plot, error) {
	pl := newPlot(p.title("time of a step by stages"), "step", "ms")
	var layers []layer
	for st := range run.StageMS {
		layers = append(layers, layer{run.StageMS[st].Name, inkStages[st], func(i int) float64 { return run.StageMS[st].MS[i] }})
	}
	top := p.ceiling(run)
	if err := stack(pl, len(run.StepMS), top, layers); err != nil {
		return nil, err
	}
	pl.X.Min, pl.Y.Min, pl.Y.Max = 0, 0, top
	roomForLegend(pl, p.Frames)
	return pl, p.addBudget(pl)
}

// roomForLegend widens a plot over steps so that the legend lies beside them.
func roomForLegend(pl *plot.Plot, frames int) { pl.X.Max = 1.2 * float64(frames) }

// plotUnknowns draws the unknowns by levels and what the plan aimed at.
func (p *profile) plotUnknowns(run *runSeries) (*plot.Plot, error) {
	pl := newPlot(p.title("unknowns by levels"), "step", "unknowns")
	var layers []layer
	all := make([]float64, len(run.StepMS))
	for level := range run.Unknowns {
		layers = append(layers, layer{fmt.Sprintf("level %d", level), inkLevels[level], func(i int) float64 { return float64(run.Unknowns[level][i]) }})
	}
	var target plotter.XYs
	for i := range run.StepMS {
		all[i] = float64(run.unknowns(i))
		if t := run.Target[i]; t > 0 {
			target = append(target, plotter.XY{X: float64(i + 1), Y: float64(t)})
		}
	}
	top := above(all)
	if err := stack(pl, len(run.StepMS), top, layers); err != nil {
		return nil, err
	}
	if len(target) > 0 {
		for i := range target {
			target[i].Y = min(target[i].Y, top)
		}
		line, err := plotter.NewLine(target)
		if err != nil {
			return nil, err
		}
		line.Width = 1.2
		pl.Add(line)
		pl.Legend.Add("target", line)
	}
	pl.X.Min, pl.Y.Min, pl.Y.Max = 0, 0, top
	roomForLegend(pl, p.Frames)
	return pl, nil
}

// plotCost draws what an unknown costs against how many there are.
func (p *profile) plotCost(run *runSeries) (*plot.Plot, error) {
	pl := newPlot(p.title("cost per unknown and substep"), "unknowns", "µs")
	sizes, costs := run.costs()
	if len(sizes) == 0 {
		return pl, nil
	}
	right, top := above(sizes), above(costs)
	pts := make(plotter.XYs, len(sizes))
	for i := range pts {
		pts[i] = plotter.XY{X: min(right, sizes[i]), Y: min(top, costs[i])}
	}
	dots, err := plotter.NewScatter(pts)
	if err != nil {
		return nil, err
	}
	dots.GlyphStyle = draw.GlyphStyle{Color: inkLine, Radius: 1.8, Shape: draw.CircleGlyph{}}
	pl.Add(dots)
	pl.X.Min, pl.Y.Min, pl.X.Max, pl.Y.Max = 0, 0, right, top
	return pl, nil
}
