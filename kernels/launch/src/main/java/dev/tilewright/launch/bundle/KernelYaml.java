package dev.tilewright.launch.bundle;

import dev.tilewright.model.problem.Epilogue;
import java.util.List;
import java.util.Optional;

/**
 * The content of {@code kernel.yaml}.
 *
 * @param helper path of a program of the host that says more of the launch
 */
record KernelYaml(
        String name,
        BundleProblem problem,
        Epilogue epilogue,
        List<BundleParameter> parameters,
        Definitions definitions,
        List<BundleConstraint> constraints,
        KernelTemplate kernel,
        LaunchTemplate launch,
        Optional<String> helper) {}
