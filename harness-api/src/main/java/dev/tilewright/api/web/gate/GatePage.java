package dev.tilewright.api.web.gate;

import dev.tilewright.api.gate.GateService;
import dev.tilewright.api.gate.schedule.GateSchedules;
import dev.tilewright.api.gate.trend.Trends;
import dev.tilewright.api.gate.waiver.Waivers;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.JsonText;
import dev.tilewright.api.platform.http.Page;
import dev.tilewright.gate.document.GateRunLine;
import dev.tilewright.gate.document.GateSchedule;
import dev.tilewright.gate.document.GateTrend;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.ui.Model;

/** Content of the pages that have forms: of a gate and of a case. */
@Component
class GatePage {

    private static final int RUNS = 25;

    /** Where a branch is the usual one. */
    private static final String MAIN = "main";

    private final GateService gates;
    private final Trends trends;
    private final Waivers waivers;
    private final GateSchedules schedules;
    private final JsonText json;
    private final Clock clock;

    GatePage(GateService gates, Trends trends, Waivers waivers, GateSchedules schedules, JsonText json, Clock clock) {
        this.gates = gates;
        this.trends = trends;
        this.waivers = waivers;
        this.schedules = schedules;
        this.json = json;
        this.clock = clock;
    }

    /**
     * The page of a gate.
     *
     * @param typed schedule; if {@code null}, as it is kept, or one of what the newest run has measured
     */
    String fill(
            String name,
            @Nullable String branch,
            @Nullable String caseName,
            @Nullable String cursor,
            @Nullable ScheduleForm typed,
            Model model) {
        Page<GateRunLine> page = gates.list(name, named(branch), RUNS, cursor);
        Optional<GateSchedule> schedule = schedules.of(name);
        if (page.items().isEmpty() && named(branch) == null && cursor == null && schedule.isEmpty()) {
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
        model.addAttribute("schedule", schedule.map(ScheduleView::of).orElse(null));
        model.addAttribute("form", typed == null ? form(name, schedule) : typed);
        model.addAttribute("faults", List.of());
        return "gate";
    }

    private ScheduleForm form(String name, Optional<GateSchedule> kept) {
        return new ScheduleForm(
                kept.map(GateSchedule::when).orElse(""),
                kept.map(GateSchedule::request)
                        .or(() -> gates.again(name))
                        .map(json::lines)
                        .orElse(""));
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

    /** The page of a case, with what was typed of a waiver, and what is wrong with it. */
    String fillCase(UUID id, int ordinal, WaiverForm form, List<String> faults, Model model) {
        RunView run = RunView.of(gates.find(id), clock.instant());
        require(id, ordinal, run.all().size());
        model.addAttribute("run", run);
        model.addAttribute("case", run.all().get(ordinal));
        model.addAttribute("form", form);
        model.addAttribute("faults", faults);
        return "gate-case";
    }

    static void require(UUID run, int ordinal, int cases) {
        if (ordinal < 0 || ordinal >= cases) {
            throw ApiProblem.notFound("case " + ordinal + " of gate run", run);
        }
    }
}
