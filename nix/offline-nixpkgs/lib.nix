rec {
  genAttrs =
    names: f:
    builtins.listToAttrs (
      map (name: {
        inherit name;
        value = f name;
      }) names
    );
  assertMsg = condition: message: condition || builtins.throw message;
  concatMapStrings = f: list: builtins.concatStringsSep "" (map f list);
  makeBinPath = packages: builtins.concatStringsSep ":" (map (package: "${package}/bin") packages);
  getExe = package: "${package}/bin/${package.meta.mainProgram}";
  optionalString = condition: text: if condition then text else "";
  licenses = genAttrs [ "asl20" "mit" ] (name: name);
  platforms.linux = [
    "x86_64-linux"
    "aarch64-linux"
  ];
}
