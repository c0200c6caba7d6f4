package dev.tilewright.api.web.gate;

import dev.tilewright.api.gate.GateService;
import dev.tilewright.api.gate.trend.Trends;
import dev.tilewright.api.gate.waiver.WaiverRepository;
import dev.tilewright.api.platform.access.Caller;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.Page;
import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.GateBlocks;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.gate.document.GateRunLine;
import dev.tilewright.gate.document.GateTrend;
import java.time.Clock;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;

/** Gates, their runs, and the cases of a run. */
@Controller
final class GatePages {

    private static final int RUNS = 25;

    /** Where a branch is the usual one. */
    private static final String MAIN = "main";

    private final GateService gates;
    private final Trends trends;
    private final WaiverRepository waivers;
    private final Clock clock;

    GatePages(GateService gates, Trends trends, WaiverRepository waivers, Clock clock) {
        this.gates = gates;
        this.trends = trends;
        this.waivers = waivers;
        this.clock = clock;
    }

    @GetMapping("/gates")
    String gates(Model model) {
        model.addAttribute("runs", gates.newest().stream().map(RunLine::of).toList());
        return "gates";
    }

    @GetMapping("/gates/{name}")
    String gate(
            @PathVariable String name,
            @RequestParam(required = false) @Nullable String branch,
            @RequestParam(name = "case", required = false) @Nullable String caseName,
            @RequestParam(required = false) @Nullable String cursor,
            Model model) {
        Page<GateRunLine> page = gates.list(name, named(branch), RUNS, cursor);
        if (page.items().isEmpty() && named(branch) == null && cursor == null) {
            throw ApiProblem.notFound("gate", "'" + name + "'");
        }
        String shown = named(branch) == null ? usual(page.items()) : branch;
        GateTrend trend = trends.of(name, shown, null);
        List<String> cases = trend.series().stream()
                .map(GateTrend.Series::caseName)
                .distinct()
                .toList();
        model.addAttribute("gate", name);
        model.addAttribute("branch", named(branch) == null ? "" : branch);
        model.addAttribute("trendBranch", shown);
        model.addAttribute("runs", page.items().stream().map(RunLine::of).toList());
        model.addAttribute("next", page.next() == null ? "" : page.next());
        model.addAttribute("cases", cases);
        model.addAttribute("case", cases.contains(caseName) ? caseName : cases.isEmpty() ? "" : cases.getFirst());
        model.addAttribute("changes", ChangeLine.of(trend));
        model.addAttribute(
                "waivers",
                waivers.of(name).stream()
                        .map(waiver -> WaiverView.of(waiver, clock.instant()))
                        .toList());
        return "gate";
    }

    private static @Nullable String named(@Nullable String branch) {
        return branch == null || branch.isBlank() ? null : branch;
    }

    /** The branch whose trend is shown where none is asked for: the usual one, or that of the newest run. */
    private static String usual(List<GateRunLine> runs) {
        List<String> branches = runs.stream()
                .map(GateRunLine::branch)
                .flatMap(Stream::ofNullable)
                .toList();
        return branches.contains(MAIN) || branches.isEmpty() ? MAIN : branches.getFirst();
    }

    /** What the chart of a case draws. */
    @GetMapping("/gates/{name}/trend")
    @ResponseBody
    GateTrend trend(
            @PathVariable String name, @RequestParam String branch, @RequestParam(name = "case") String caseName) {
        return trends.of(name, branch, caseName);
    }

    @GetMapping("/gate-runs/{id}")
    String run(@PathVariable UUID id, Model model) {
        model.addAttribute("run", view(id));
        return "gate-run";
    }

    /** What the page of a run asks for again and again. */
    @GetMapping("/gate-runs/{id}/progress")
    String runAlone(@PathVariable UUID id, Model model) {
        model.addAttribute("run", view(id));
        return "gate-run :: progress";
    }

    @PostMapping("/gate-runs/{id}/cancel")
    String cancelRun(@PathVariable UUID id, Caller caller) {
        return "redirect:/gate-runs/" + gates.cancel(id, caller).id();
    }

    private RunView view(UUID id) {
        return RunView.of(gates.find(id), clock.instant());
    }

    @GetMapping("/gate-runs/{id}/cases/{place}")
    String caseOfRun(@PathVariable UUID id, @PathVariable int place, Model model) {
        RunView run = view(id);
        require(id, place, run.all().size());
        model.addAttribute("run", run);
        model.addAttribute("case", run.all().get(place));
        return "gate-case";
    }

    /** What the chart of a case draws. */
    @GetMapping("/gate-runs/{id}/cases/{place}/blocks")
    @ResponseBody
    BlocksChart blocks(@PathVariable UUID id, @PathVariable int place) {
        GateRun run = gates.find(id);
        List<CaseResult> all =
                Stream.concat(run.cases().stream(), run.sentinels().stream()).toList();
        require(id, place, all.size());
        boolean sentinel = place >= run.cases().size();
        List<GateBlocks.OfStage> stages = gates.blocks(id).stages().stream()
                .filter(stage -> stage.caseName().equals(all.get(place).name()))
                .filter(stage -> stage.sentinel() != null == sentinel)
                .toList();
        return BlocksChart.of(all.get(place), stages);
    }

    private static void require(UUID run, int place, int cases) {
        if (place < 0 || place >= cases) {
            throw ApiProblem.notFound("case " + place + " of gate run", run);
        }
    }
}
