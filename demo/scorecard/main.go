// Command scorecard measures the liquid against references and prints a row per number.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/meniscus3d/meniscus/demo/internal/option"
	"github.com/meniscus3d/meniscus/demo/internal/progress"
	"github.com/meniscus3d/meniscus/demo/internal/validation"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run returns the exit code: 1 if a row fails, 2 if the flags are wrong.
func run(args []string, out, errs io.Writer) int {
	flags := flag.NewFlagSet("scorecard", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	asJSON := flags.Bool("json", false, "print JSON")
	only := flags.String("only", "", "comma-separated ids, such as V4,V10")
	long := flags.Bool("long", false, "run also the tests that take half a minute or more")
	tracker := flags.String("tracker", "", "only tests whose surface it follows: "+strings.Join(option.Trackers, ", "))
	cells := flags.String("cells", "", "only tests whose space is divided into them: "+strings.Join(option.Discretisations, ", "))
	err := flags.Parse(args)
	if err == nil && flags.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	var tests []validation.Test
	if err == nil {
		tests, err = pick(*only, *cells, *tracker, *long)
	}
	if err != nil {
		fmt.Fprintf(errs, "scorecard: %v (usage: scorecard [-json] [-long] [-only V4,V10] [-tracker contour] [-cells cubes])\n", err)
		return 2
	}
	code := 0
	rows := []validation.Row{}
	line := progress.New(errs, "tests", len(tests))
	for i, t := range tests {
		got, err := t.Run()
		line.Done(i+1, t.ID)
		if err != nil {
			fmt.Fprintf(errs, "scorecard: %s: %v\n", t.ID, err)
			code = 1
		}
		for _, r := range got {
			if !r.Pass {
				code = 1
			}
		}
		rows = append(rows, got...)
	}
	if *asJSON {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		err = e.Encode(rows)
	} else {
		err = table(out, rows)
	}
	if err != nil {
		fmt.Fprintf(errs, "scorecard: %v\n", err)
		return 1
	}
	return code
}

// pick is the tests with the given ids, or all that are short, or all; those with one discretisation and one tracker, or with all.
func pick(only, cells, tracker string, long bool) ([]validation.Test, error) {
	space, of := slices.Index(option.Discretisations, cells), slices.Index(option.Trackers, tracker)
	if cells != "" && space < 0 {
		return nil, fmt.Errorf("-cells: no cells %q", cells)
	}
	if tracker != "" && of < 0 {
		return nil, fmt.Errorf("-tracker: no tracker %q", tracker)
	}
	var all, picked []validation.Test
	for _, t := range validation.Tests() {
		if (space < 0 || int(t.Discretisation) == space) && (of < 0 || int(t.Tracker) == of) {
			all = append(all, t)
		}
	}
	if only == "" {
		for _, t := range all {
			if long || !t.Long {
				picked = append(picked, t)
			}
		}
		return picked, nil
	}
	for _, id := range strings.Split(only, ",") {
		found := false
		for _, t := range all {
			if t.ID == strings.TrimSpace(id) {
				picked, found = append(picked, t), true
			}
		}
		if !found {
			return nil, fmt.Errorf("-only: no test %q", id)
		}
	}
	return picked, nil
}

func table(out io.Writer, rows []validation.Row) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "id\tname\tmeasured\treference\ttolerance\tunit\tpass")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%s\t%.5g\t%.5g\t%.3g\t%s\t%v\n", r.ID, r.Name, r.Measured, r.Reference, r.Tolerance, r.Unit, r.Pass)
	}
	return w.Flush()
}
