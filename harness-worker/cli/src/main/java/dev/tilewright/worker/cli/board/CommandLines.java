package dev.tilewright.worker.cli.board;

import dev.tilewright.model.exchange.ResultDocument.StudyResult;
import dev.tilewright.model.exchange.TrialDocument;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.space.families.ConfigText;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.families.ProblemText;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Lines for a shell that ask for what was shown. */
public final class CommandLines {

    private CommandLines() {}

    /** How to try the best config of a study again, and to take its kernel home. */
    static List<String> ofTheBest(StudyResult study, TrialDocument best) {
        Testbed testbed = study.document().testbed();
        Problem problem = study.document().problem().problem();
        String family = study.document().family();
        return TestbedKind.SIMULATED.isOf(testbed)
                ? List.of(again(problem, family, best.config()) + ProblemText.device(testbed))
                : List.of(again(problem, family, best.config()), export(best.id()));
    }

    /** The same of a best known config. */
    static List<String> ofTheBest(Problem problem, String family, Config config, UUID trial) {
        return List.of(again(problem, family, config), export(trial));
    }

    private static String again(Problem problem, @Nullable String family, Config config) {
        return "again: " + ConfigText.tune(Families.standard(), family, problem, config);
    }

    private static String export(UUID trial) {
        return "export: tilewright export --trial " + trial;
    }
}
