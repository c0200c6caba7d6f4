package dev.tilewright.api.gate;

import dev.tilewright.api.study.StudySpaces;
import dev.tilewright.gate.document.GateKernel;
import dev.tilewright.model.exchange.ConfigRequest;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.trial.Architecture;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.space.family.FamilySpace;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Kernels of ours that watch the instrument where a run has peers or cubins alone, of which no slowed twin can be made:
 * the config that studies of the problem are timed beside.
 */
@Component
record StandIns(StudySpaces spaces) {

    /** For the problem of a case, on the GPU that has the run; empty if no family of it takes the problem. */
    Optional<GateKernel> of(GateRunRow run, CaseSpec spec) {
        Testbed testbed = run.testbed();
        Problem problem = spec.problem().problem();
        return testbed == null
                ? Optional.empty()
                : Architecture.of(testbed)
                        .flatMap(spaces.families()::of)
                        .filter(family -> family.refusal(problem).isEmpty())
                        .map(FamilySpace::family)
                        .flatMap(family -> spaces.anchor(problem, family, testbed.smCount())
                                .map(config ->
                                        new GateKernel(family, ConfigRequest.of(config), null, null, null, null)));
    }
}
