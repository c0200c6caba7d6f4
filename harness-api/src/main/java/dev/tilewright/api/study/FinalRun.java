package dev.tilewright.api.study;

import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.trial.TrialState;
import java.util.List;

/**
 * The final of a study on a real GPU.
 *
 * @param state queued, leased or finished
 * @param attempts leases that counted
 */
public record FinalRun(TrialState state, int attempts, List<Work.Contender> contenders) {}
