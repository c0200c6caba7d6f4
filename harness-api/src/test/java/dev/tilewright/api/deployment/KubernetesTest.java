package dev.tilewright.api.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import dev.tilewright.api.platform.process.ServeEnvironment;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V2HorizontalPodAutoscaler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.yaml.snakeyaml.Yaml;

/**
 * The manifests are some that Kubernetes knows, and refer to what is there: labels, ports, paths, variables, secrets,
 * metrics; and nobody runs as root.
 */
class KubernetesTest {

    private final Path folder = ComposeTest.root().resolve("packaging/kubernetes");

    @TempDir
    Path secrets;

    private List<Map<?, ?>> all() throws IOException {
        List<Map<?, ?>> manifests = new ArrayList<>();
        for (Object file : (List<?>) kustomization().get("resources")) {
            for (Object manifest : new Yaml().loadAll(Files.readString(folder.resolve(file.toString())))) {
                manifests.add((Map<?, ?>) manifest);
            }
        }
        return manifests;
    }

    private Map<?, ?> kustomization() throws IOException {
        return new Yaml().load(Files.readString(folder.resolve("kustomization.yaml")));
    }

    private List<Map<?, ?>> of(String kind) throws IOException {
        return all().stream().filter(one -> one.get("kind").equals(kind)).toList();
    }

    /** What is at a path of keys and indexes; {@code null} if nothing is. */
    private static @Nullable Object at(Object node, Object... path) {
        Object found = node;
        for (Object step : path) {
            found = found == null
                    ? null
                    : step instanceof Integer i ? ((List<?>) found).get(i) : ((Map<?, ?>) found).get(step);
        }
        return found;
    }

    private static List<?> list(Object node, Object... path) {
        return (List<?>) Objects.requireNonNullElse(at(node, path), List.of());
    }

    private static Object pod(Map<?, ?> deployment) {
        return Objects.requireNonNull(at(deployment, "spec", "template", "spec"));
    }

    private static Object container(Map<?, ?> deployment) {
        return Objects.requireNonNull(at(pod(deployment), "containers", 0));
    }

    @Test
    void everyFileOfTheFolderIsAResource() throws IOException {
        try (var files = Files.list(folder)) {
            TreeSet<String> found = new TreeSet<>(
                    files.map(file -> file.getFileName().toString()).toList());
            found.remove("kustomization.yaml");
            assertThat(list(kustomization(), "resources"))
                    .extracting(Object::toString)
                    .containsExactlyInAnyOrderElementsOf(found);
        }
        assertThat(all())
                .allSatisfy(
                        manifest -> assertThat(at(manifest, "metadata", "name")).isNotNull());
    }

    /** The kinds of manifests, as Kubernetes' own client has them from its OpenAPI documents. */
    private interface Kind {
        void validate(JsonElement manifest) throws IOException;
    }

    private static final Map<String, Kind> KINDS = Map.of(
            "v1 Namespace", V1Namespace::validateJsonElement,
            "v1 Service", V1Service::validateJsonElement,
            "apps/v1 Deployment", V1Deployment::validateJsonElement,
            "policy/v1 PodDisruptionBudget", V1PodDisruptionBudget::validateJsonElement,
            "networking.k8s.io/v1 NetworkPolicy", V1NetworkPolicy::validateJsonElement,
            "autoscaling/v2 HorizontalPodAutoscaler", V2HorizontalPodAutoscaler::validateJsonElement);

    private static void validate(Map<?, ?> manifest) throws IOException {
        String name = manifest.get("apiVersion") + " " + manifest.get("kind");
        Kind kind = KINDS.get(name);
        assertThat(kind).as("kind of %s", name).isNotNull();
        kind.validate(new Gson().toJsonTree(manifest));
    }

    /** No field that Kubernetes does not know, none missing that it needs, none of another type. */
    @Test
    void everyManifestIsOneOfKubernetes() throws IOException {
        Set<String> seen = new TreeSet<>();
        for (Map<?, ?> manifest : all()) {
            validate(manifest);
            seen.add(manifest.get("apiVersion") + " " + manifest.get("kind"));
        }
        assertThat(seen).isEqualTo(new TreeSet<>(KINDS.keySet()));
    }

    @ParameterizedTest
    @CsvSource({
        "Deployment,              readOnlyRootFilesystem, readonlyRootFilesystem",
        "Deployment,              containerPort,          port",
        "NetworkPolicy,           policyTypes,            policyKinds",
        "HorizontalPodAutoscaler, maxReplicas,            mostReplicas",
        "PodDisruptionBudget,     matchLabels,            matchLabel",
        "Service,                 selector,               select"
    })
    void aFieldThatKubernetesDoesNotKnowIsNamed(String kind, String field, String other) throws IOException {
        Map<?, ?> manifest = of(kind).getFirst();
        String misspelt = new Yaml().dump(manifest).replace(field + ":", other + ":");

        assertThatThrownBy(() -> validate(new Yaml().load(misspelt))).hasMessageContaining("`" + other + "`");
    }

    @Test
    void imagesAreTagged() throws IOException {
        Map<Object, Object> tags = new HashMap<>();
        list(kustomization(), "images").forEach(image -> tags.put(at(image, "name"), at(image, "newTag")));
        for (Map<?, ?> deployment : of("Deployment")) {
            Object image = at(container(deployment), "image");
            assertThat(tags.get(image)).as("tag of %s", image).asString().matches("\\d+\\.\\d+\\.\\d+");
        }
    }

    @Test
    void nobodyRunsAsRootOrMayBecomeIt() throws IOException {
        assertThat(of("Deployment")).hasSize(2).allSatisfy(deployment -> {
            assertThat(at(pod(deployment), "securityContext", "runAsNonRoot")).isEqualTo(true);
            // The user of packaging/Dockerfile.
            assertThat(at(pod(deployment), "securityContext", "runAsUser")).isEqualTo(10001);
            assertThat(at(pod(deployment), "automountServiceAccountToken")).isEqualTo(false);
            Object rights = Objects.requireNonNull(at(container(deployment), "securityContext"));
            assertThat(at(rights, "allowPrivilegeEscalation")).isEqualTo(false);
            assertThat(at(rights, "readOnlyRootFilesystem")).isEqualTo(true);
            assertThat(at(rights, "capabilities", "drop")).isEqualTo(List.of("ALL"));
        });
        assertThat(Files.readString(ComposeTest.root().resolve("packaging/Dockerfile")))
                .contains("useradd --uid 10001 ");
    }

    @Test
    void selectorsFindTheirPods() throws IOException {
        Set<Object> labels = new java.util.HashSet<>();
        for (Map<?, ?> deployment : of("Deployment")) {
            Object own = at(deployment, "spec", "template", "metadata", "labels");
            assertThat(at(deployment, "spec", "selector", "matchLabels")).isEqualTo(own);
            labels.add(own);
        }
        for (Map<?, ?> service : of("Service")) {
            assertThat(labels).contains(at(service, "spec", "selector"));
        }
        for (Map<?, ?> budget : of("PodDisruptionBudget")) {
            assertThat(labels).contains(at(budget, "spec", "selector", "matchLabels"));
        }
        for (Map<?, ?> policy : of("NetworkPolicy")) {
            Object pods = at(policy, "spec", "podSelector", "matchLabels");
            if (pods != null) {
                assertThat(labels).contains(pods);
            }
        }
        Object target = at(of("HorizontalPodAutoscaler").getFirst(), "spec", "scaleTargetRef", "name");
        assertThat(of("Deployment"))
                .extracting(one -> at(one, "metadata", "name"))
                .contains(target);
    }

    /** Each variable is one that the service reads; each file of a secret is mounted where the variable says. */
    @Test
    void theServiceReadsItsVariables() throws IOException {
        Map<?, ?> api = of("Deployment").getFirst();
        Map<String, String> environment = new HashMap<>();
        for (Object variable : list(container(api), "env")) {
            String name = String.valueOf(at(variable, "name"));
            String value = String.valueOf(at(variable, "value"));
            if (name.endsWith("_FILE")) {
                assertThat(value).startsWith("/run/secrets/tilewright/");
                value = Files.writeString(secrets.resolve(Path.of(value).getFileName()), "the secret of " + name)
                        .toString();
            }
            environment.put(name, value);
        }
        ServeEnvironment read = ServeEnvironment.of(environment);
        assertThat(read.databaseUrl()).isEqualTo("the secret of DATABASE_URL_FILE");
        assertThat(read.databasePassword()).isEqualTo("the secret of DATABASE_PASSWORD_FILE");
        assertThat(read.userToken()).isEqualTo("the secret of TILEWRIGHT_USER_TOKEN_FILE");
        assertThat(read.readerToken()).isEqualTo("the secret of TILEWRIGHT_READER_TOKEN_FILE");
        assertThat(read.shortToken()).isEmpty();
        assertThat(read.workerToken()).isEqualTo("the secret of TILEWRIGHT_WORKER_TOKEN_FILE");
        assertThat(read.hosts()).contains("tilewright-api");
        Iterable<ConfigurationPropertySource> variables = ConfigurationPropertySources.from(
                new SystemEnvironmentPropertySource("systemEnvironment", new HashMap<>(environment)));
        assertThat(new Binder(variables)
                        .bind("tilewright.http.behind-proxy", Boolean.class)
                        .get())
                .as("an ingress ends TLS")
                .isTrue();
        assertThat(environment).hasSize(7);
        for (Map<?, ?> deployment : of("Deployment")) {
            assertThat(list(container(deployment), "volumeMounts"))
                    .extracting(mount -> at(mount, "name") + " " + at(mount, "mountPath"))
                    .containsExactly("home /data", "tmp /tmp", "secrets /run/secrets/tilewright");
            assertThat(list(pod(deployment), "volumes"))
                    .extracting(volume -> at(volume, "name"))
                    .containsExactly("home", "tmp", "secrets");
        }
    }

    @Test
    void everySecretIsMadeByTheDocumentation() throws IOException {
        String documentation = Files.readString(ComposeTest.root().resolve("docs/operations.md"));
        for (Map<?, ?> deployment : of("Deployment")) {
            assertThat(documentation)
                    .contains(
                            "create secret generic " + at(pod(deployment), "volumes", 2, "secret", "secretName") + " ");
            for (Object variable : list(container(deployment), "env")) {
                if (String.valueOf(at(variable, "name")).endsWith("_FILE")) {
                    assertThat(documentation)
                            .contains("--from-file="
                                    + Path.of(String.valueOf(at(variable, "value")))
                                            .getFileName() + "=");
                }
            }
        }
    }

    @Test
    void portsAndPathsAreThoseOfTheService() throws IOException {
        Map<?, ?> api = of("Deployment").getFirst();
        assertThat(at(container(api), "args").toString()).contains("--port, 8080");
        assertThat(at(container(api), "ports", 0, "containerPort")).isEqualTo(8080);
        assertThat(at(of("Service").getFirst(), "spec", "ports", 0, "port")).isEqualTo(8080);
        assertThat(at(container(of("Deployment").getLast()), "args").toString()).contains("http://tilewright-api:8080");
        for (String probe : List.of("startupProbe", "readinessProbe", "livenessProbe")) {
            assertThat(String.valueOf(at(container(api), probe, "httpGet", "path")))
                    .matches("/actuator/health/(readiness|liveness)");
            // The service answers for names that it knows alone, and no probe knows one.
            assertThat(at(container(api), probe, "httpGet", "httpHeaders", 0, "value"))
                    .isEqualTo("tilewright-api");
        }
        // MetricsTest holds them against the scrape of a service.
        assertThat(list(of("HorizontalPodAutoscaler").getFirst(), "spec", "metrics"))
                .extracting(metric -> at(metric, "external", "metric", "name"))
                .containsExactly("tilewright_trials", "tilewright_tasks");
    }

    @Test
    void aWorkerChecksWhatUsersPasteToo() throws IOException {
        assertThat(list(container(of("Deployment").getLast()), "args"))
                .extracting(Object::toString)
                .endsWith("cuda:0,emulated");
    }

    /** A worker has no port: its check is the one of its image, which HeartbeatFileTest runs. */
    @Test
    void aWorkerIsAliveAsItsImageSays() throws IOException {
        Map<?, ?> worker = of("Deployment").getLast();
        assertThat(list(container(worker), "livenessProbe", "exec", "command"))
                .extracting(Object::toString)
                .containsExactly("sh", "-c", healthCheck());
        assertThat(list(container(worker), "volumeMounts"))
                .extracting(mount -> at(mount, "name") + " " + at(mount, "mountPath"))
                .contains("home /data");
        assertThat(ComposeTest.stage("base")).contains("ENV TILEWRIGHT_HOME=/data\n");
    }

    private static String healthCheck() {
        return ComposeTest.stage("worker")
                .lines()
                .filter(line -> line.startsWith("HEALTHCHECK "))
                .map(line -> line.substring(line.indexOf(" CMD ") + " CMD ".length()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aWorkerReachesTheServiceAlone() throws IOException {
        Map<?, ?> nobody = of("NetworkPolicy").getFirst();
        assertThat(at(nobody, "spec", "podSelector")).isEqualTo(Map.of());
        assertThat(at(nobody, "spec", "policyTypes")).isEqualTo(List.of("Ingress", "Egress"));
        assertThat(at(nobody, "spec", "egress")).isNull();
        Map<?, ?> worker = of("NetworkPolicy").getLast();
        assertThat(list(worker, "spec", "egress")).hasSize(1);
        assertThat(at(worker, "spec", "egress", 0, "to", 0, "podSelector", "matchLabels"))
                .isEqualTo(Map.of("app.kubernetes.io/name", "tilewright-api"));
        assertThat(at(worker, "spec", "ingress")).isNull();
    }
}
