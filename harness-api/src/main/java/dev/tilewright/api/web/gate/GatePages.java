package dev.tilewright.api.web.gate;

import dev.tilewright.api.gate.GateService;
import dev.tilewright.api.gate.schedule.GateSchedules;
import dev.tilewright.api.gate.trend.Trends;
import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.GateBlocks;
import dev.tilewright.gate.document.GateRun;
import java.time.Clock;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;

/** Gates, their runs, and the cases of a run. */
@Controller
final class GatePages {

    private final GateService gates;
    private final Trends trends;
    private final GateSchedules schedules;
    private final GatePage page;
    private final Clock clock;

    GatePages(GateService gates, Trends trends, GateSchedules schedules, GatePage page, Clock clock) {
        this.gates = gates;
        this.trends = trends;
        this.schedules = schedules;
        this.page = page;
        this.clock = clock;
    }

    @GetMapping("/gates")
    String gates(Model model) {
        model.addAttribute("runs", gates.newest().stream().map(RunLine::of).toList());
        model.addAttribute(
                "schedules", schedules.all().stream().map(ScheduleView::of).toList());
        return "gates";
    }

    @GetMapping("/gates/{name}")
    String gate(
            @PathVariable String name,
            @RequestParam(required = false) @Nullable String branch,
            @RequestParam(name = "case", required = false) @Nullable String caseName,
            @RequestParam(required = false) @Nullable String cursor,
            Model model) {
        return page.fill(name, branch, caseName, cursor, null, model);
    }

    /** Data of a case's chart. */
    @GetMapping("/gates/{name}/trend")
    @ResponseBody
    TrendChart trend(
            @PathVariable String name, @RequestParam String branch, @RequestParam(name = "case") String caseName) {
        return TrendChart.of(trends.of(name, branch, caseName));
    }

    @GetMapping("/gate-runs/{id}")
    String run(@PathVariable UUID id, Model model) {
        model.addAttribute("run", view(id));
        return "gate-run";
    }

    /** The part of a run's page that is fetched again and again. */
    @GetMapping("/gate-runs/{id}/progress")
    String runAlone(@PathVariable UUID id, Model model) {
        model.addAttribute("run", view(id));
        return "gate-run :: progress";
    }

    private RunView view(UUID id) {
        return RunView.of(gates.find(id), clock.instant());
    }

    @GetMapping("/gate-runs/{id}/cases/{ordinal}")
    String caseOfRun(@PathVariable UUID id, @PathVariable int ordinal, Model model) {
        return page.fillCase(id, ordinal, WaiverForm.empty(), List.of(), model);
    }

    /** Data of a case's chart. */
    @GetMapping("/gate-runs/{id}/cases/{ordinal}/blocks")
    @ResponseBody
    BlocksChart blocks(@PathVariable UUID id, @PathVariable int ordinal) {
        GateRun run = gates.find(id);
        List<CaseResult> all =
                Stream.concat(run.cases().stream(), run.sentinels().stream()).toList();
        GatePage.require(id, ordinal, all.size());
        boolean sentinel = ordinal >= run.cases().size();
        List<GateBlocks.OfStage> stages = gates.blocks(id).stages().stream()
                .filter(stage -> stage.caseName().equals(all.get(ordinal).name()))
                .filter(stage -> stage.sentinel() != null == sentinel)
                .toList();
        return BlocksChart.of(all.get(ordinal), stages);
    }
}
