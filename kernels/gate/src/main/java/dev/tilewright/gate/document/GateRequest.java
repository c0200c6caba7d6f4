package dev.tilewright.gate.document;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.tilewright.model.exchange.ProblemDocument;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Asks for a run of a gate.
 *
 * @param commit of the candidates, for people and for later runs that name it; {@code null} if there is none
 * @param branch that the commit is of; a run of a branch can be the last pass of it
 * @param device a GPU, such as {@code cuda:0}; {@code null} for any
 * @param cases what is compared: one problem and two kernels each
 * @param budgetSeconds of GPU time for all cases; those that no longer fit are inconclusive; {@code null} for no limit
 * @param retuneSeconds how long cases that fail may be tuned again, all of them together; {@code null} for not at all
 * @param seed of the orders and the data; {@code null} for one drawn, which the answer names
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record GateRequest(
        @Nullable String commit,
        @Nullable String branch,
        @Nullable String device,
        List<Case> cases,
        @Nullable Double budgetSeconds,
        @Nullable Integer retuneSeconds,
        @Nullable Long seed) {

    /**
     * One problem, two kernels.
     *
     * @param name unique in the gate
     * @param problem that both kernels solve
     * @param candidate the kernel that is judged
     * @param baseline the kernel that it is compared with
     * @param margins {@code null} for the usual ones
     * @param weight of its effect in the mean over cases; {@code null} for 1
     * @param accept rules of the emulator whose findings do not refute its kernels
     * @param source {@code FILE} or {@code FILE:LINE} that a report points at, from the root of the user's repository;
     *     {@code null} if there is none
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Case(
            String name,
            ProblemDocument problem,
            GateKernel candidate,
            Baseline baseline,
            @Nullable Margins margins,
            @Nullable Double weight,
            @Nullable List<String> accept,
            @Nullable String source) {}

    /**
     * The baseline: exactly one of these is given.
     *
     * @param kernel another kernel
     * @param run the candidate of the case of this name in that run
     * @param lastPass the same of the last run on this branch that passed
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Baseline(
            @Nullable GateKernel kernel,
            @Nullable UUID run,
            @Nullable String lastPass) {}
}
