package dev.tilewright.worker.cli.board;

import dev.tilewright.model.exchange.MeasurementDocument;
import dev.tilewright.model.exchange.ResultDocument.StudyResult;
import dev.tilewright.model.exchange.TrialDocument;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.text.Microseconds;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.simulator.LaunchModels;
import dev.tilewright.space.device.LaunchModel;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.ranking.SchedulerCrossings;
import dev.tilewright.space.ranking.SchedulerCrossings.Span;
import dev.tilewright.space.ranking.SchedulerPoint;
import dev.tilewright.space.ranking.SchedulerPoint.Entry;
import dev.tilewright.space.ranking.TimedTrial;
import dev.tilewright.space.ranking.WhyItWon;
import dev.tilewright.worker.link.text.PlainText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tile schedulers beside each other, a row each, for each number of busy SMs, and where one takes over from another.
 *
 * @param studies one for each number of busy SMs, in which each scheduler was tuned on its own
 * @param crossings of them
 */
public record SchedulersBoard(List<StudyResult> studies, SchedulerCrossings crossings) implements Board {

    private static final String NONE = "-";

    /** The board of studies. */
    public static SchedulersBoard of(List<StudyResult> studies) {
        return new SchedulersBoard(
                studies,
                new SchedulerCrossings(
                        studies.stream().map(SchedulersBoard::point).toList()));
    }

    /** Whether something was timed at each number of busy SMs. */
    public boolean isWhole() {
        return crossings.points().size() == studies.size();
    }

    /** All lines; numbers of busy SMs that do not fit follow in a further table. */
    @Override
    public List<String> lines(int width) {
        List<String> lines = new ArrayList<>();
        StudyResult any = studies.getFirst();
        lines.add(any.document().problem().problem().shapes() + ", " + Leaderboard.heading(any));
        if (any.isSimulated()) {
            lines.add(Leaderboard.SIMULATED);
        }
        for (StudyResult study : studies) {
            int busy = study.document().problem().problem().scenario().busySms();
            Optional.ofNullable(study.document().error())
                    .ifPresent(error -> lines.add("error at " + busy + " busy SMs: " + PlainText.line(error)));
            Optional.ofNullable(study.document().noise())
                    .ifPresent(noise -> lines.add("noise at " + busy + " busy SMs: " + PlainText.line(noise)));
        }
        List<SchedulerPoint> points = crossings.points();
        if (points.isEmpty()) {
            lines.add("nothing was timed");
            return lines;
        }
        lines.add("each tile scheduler tuned on its own: us, and its speed beside that of the fastest"
                + (any.isSimulated() ? "" : ", by the stage at the head"));
        for (int from = 0; from < points.size(); ) {
            int to = points.size();
            while (to > from + 1 && table(points.subList(from, to)).width() > width) {
                to--;
            }
            lines.addAll(table(points.subList(from, to)).lines(width));
            from = to;
        }
        lines.addAll(crossings.lines());
        lines.addAll(configs().lines(width));
        return lines;
    }

    private static SchedulerPoint point(StudyResult study) {
        Problem problem = study.document().problem().problem();
        Testbed testbed = study.document().testbed();
        Optional<LaunchModel> model = testbed == null
                ? Optional.empty()
                : Families.standard()
                        .find(study.document().family())
                        .flatMap(family -> LaunchModels.of(family, testbed));
        Map<UUID, TrialDocument> byId =
                study.trials().stream().collect(Collectors.toMap(TrialDocument::id, Function.identity()));
        return SchedulerPoint.of(
                problem.scenario().busySms(),
                study.trials().stream().map(TimedTrial::of).toList(),
                (trial, stage) -> new WhyItWon.Side(
                        trial.scheduler().orElseThrow(),
                        trial.at(stage).orElseThrow().interval(),
                        clock(byId.get(trial.id()), stage),
                        byId.get(trial.id()).evidence(),
                        WhyItWon.readsOfL2(model, problem, trial.config()),
                        study.isSimulated()));
    }

    private static @Nullable Double clock(TrialDocument trial, Stage stage) {
        return trial.measurements().stream()
                .map(MeasurementDocument::measurement)
                .filter(measured -> measured.mode() == Mode.SUSTAINED && measured.stage() == stage)
                .findFirst()
                .map(Measurement::smClockMhz)
                .orElse(null);
    }

    private TextTable table(List<SchedulerPoint> points) {
        List<String> head = new ArrayList<>(List.of("busy SMs"));
        for (SchedulerPoint point : points) {
            head.add(Integer.toString(point.busySms()));
            head.add(point.stage().map(Stage::toString).orElse(""));
        }
        TextTable table = new TextTable(head, "l" + "rl".repeat(points.size()));
        for (String scheduler : crossings.schedulers()) {
            List<String> row = new ArrayList<>(List.of(scheduler));
            for (SchedulerPoint point : points) {
                Optional<Entry> entry = point.entry(scheduler);
                row.add(entry.map(own -> Microseconds.of(own.side().time().medianNs()))
                        .orElse(NONE));
                row.add(entry.map(own -> own.speed().words() + otherStage(point, own))
                        .orElse(""));
            }
            table.add(row);
        }
        return table;
    }

    /** The stage of a scheduler that was not timed in the last stage of the fastest. */
    private static String otherStage(SchedulerPoint point, Entry entry) {
        return point.stage()
                .filter(stage -> stage != entry.stage())
                .map(_ -> " " + entry.stage())
                .orElse("");
    }

    /** The configs where somebody begins to lead. */
    private TextTable configs() {
        List<FamilyConfig> shown = new ArrayList<>();
        List<List<String>> rows = new ArrayList<>();
        String family = studies.getFirst().document().family();
        for (Span span : crossings.spans()) {
            SchedulerPoint point = crossings.points().get(span.first());
            for (Entry entry : point.entries()) {
                shown.add(new FamilyConfig(family, entry.config()));
                rows.add(List.of(Integer.toString(point.busySms())));
            }
        }
        CompactConfig form = CompactConfig.of(shown);
        TextTable table = new TextTable(List.of("busy SMs", "config"), "rl");
        for (int i = 0; i < rows.size(); i++) {
            table.add(List.of(rows.get(i).getFirst(), form.format(shown.get(i))));
        }
        return table;
    }
}
