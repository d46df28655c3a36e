import Array "mo:core/Array";
import Map "mo:core/Map";
import Principal "mo:core/Principal";
import Text "mo:core/Text";

/// A registry of packages with the calls that the client of mops makes when it installs. Main canister and storage of
/// the files are one. Who publishes gives the hash of each file, so that a test can give a wrong one.
persistent actor class Registry() = this {
  type Result<T> = { #ok : T; #err : Text };
  type File = { path : Text; content : Blob; hash : Blob };
  type FileMeta = { id : Text; path : Text; chunkCount : Nat; owners : [Principal] };
  type Named = { name : Text; value : Text };
  type Dependency = { name : Text; version : Text; repo : Text };
  type User = {
    id : Principal;
    name : Text;
    displayName : Text;
    site : Text;
    email : Text;
    emailVerified : Bool;
    github : Text;
    githubVerified : Bool;
    twitter : Text;
    twitterVerified : Bool;
  };
  type Config = {
    name : Text;
    version : Text;
    description : Text;
    license : Text;
    repository : Text;
    homepage : Text;
    documentation : Text;
    donation : Text;
    baseDir : Text;
    readme : Text;
    dfx : Text;
    moc : Text;
    keywords : [Text];
    scripts : [Named];
    requirements : [Named];
    dependencies : [Dependency];
    devDependencies : [Dependency];
  };
  type Publication = { user : Principal; time : Int; storage : Principal };
  type Quality = {
    depsStatus : { #tooOld; #updatesAvailable; #allLatest };
    docsCoverage : Float;
    hasDescription : Bool;
    hasDocumentation : Bool;
    hasKeywords : Bool;
    hasLicense : Bool;
    hasReleaseNotes : Bool;
    hasRepository : Bool;
    hasTests : Bool;
  };
  type Changes = {
    notes : Text;
    tests : { addedNames : [Text]; removedNames : [Text] };
    deps : [None];
    devDeps : [None];
    curBenchmarks : [None];
    prevBenchmarks : [None];
    curDocsCoverage : Float;
    prevDocsCoverage : Float;
  };
  type Details = {
    config : Config;
    publication : Publication;
    publisher : User;
    owner : Principal;
    ownerInfo : User;
    owners : [User];
    maintainers : [User];
    quality : Quality;
    changes : Changes;
    fileStats : { sourceFiles : Nat; sourceSize : Nat };
    testStats : { passed : Nat; passedNames : [Text] };
    benchmarks : [None];
    dependents : [None];
    deps : [None];
    devDeps : [None];
    downloadTrend : [None];
    versionHistory : [None];
    versions : [Text];
    highestVersion : Text;
    depAlias : Text;
    dependentsCount : Nat;
    docsCoverage : Float;
    downloadsInLast30Days : Nat;
    downloadsInLast7Days : Nat;
    downloadsTotal : Nat;
  };

  let packages = Map.empty<Text, [File]>();
  var installs = 0;

  func filesOf(name : Text, version : Text) : Result<[File]> {
    let id = name # "@" # version;
    switch (Map.get(packages, Text.compare, id)) {
      case (?files) #ok files;
      case null #err("Package '" # id # "' not found");
    };
  };

  func fileOf(fileId : Text) : ?File {
    for ((id, files) in Map.entries(packages)) {
      let found = Array.find(files, func(file : File) : Bool = id # "/" # file.path == fileId);
      if (found != null) return found;
    };
    null;
  };

  func somebody() : User {
    {
      id = Principal.fromActor(this);
      name = "";
      displayName = "";
      site = "";
      email = "";
      emailVerified = false;
      github = "";
      githubVerified = false;
      twitter = "";
      twitterVerified = false;
    };
  };

  public func publish(name : Text, version : Text, files : [File]) : async () {
    Map.add(packages, Text.compare, name # "@" # version, files);
  };

  public query func installCount() : async Nat { installs };

  public query func getApiVersion() : async Text { "1.3" };

  public query func getFileIds(name : Text, version : Text) : async Result<[Text]> {
    switch (filesOf(name, version)) {
      case (#ok files) #ok(Array.map<File, Text>(files, func file = name # "@" # version # "/" # file.path));
      case (#err text) #err text;
    };
  };

  public query func getPackageDetails(name : Text, version : Text) : async Result<Details> {
    switch (filesOf(name, version)) { case (#err text) return #err text; case (#ok _) {} };
    let self = Principal.fromActor(this);
    #ok {
      config = {
        name;
        version;
        description = "";
        license = "";
        repository = "";
        homepage = "";
        documentation = "";
        donation = "";
        baseDir = "src";
        readme = "";
        dfx = "";
        moc = "";
        keywords = [];
        scripts = [];
        requirements = [];
        dependencies = [];
        devDependencies = [];
      };
      publication = { user = self; time = 0; storage = self };
      publisher = somebody();
      owner = self;
      ownerInfo = somebody();
      owners = [];
      maintainers = [];
      quality = {
        depsStatus = #allLatest;
        docsCoverage = 0.0;
        hasDescription = false;
        hasDocumentation = false;
        hasKeywords = false;
        hasLicense = false;
        hasReleaseNotes = false;
        hasRepository = false;
        hasTests = false;
      };
      changes = {
        notes = "";
        tests = { addedNames = []; removedNames = [] };
        deps = [];
        devDeps = [];
        curBenchmarks = [];
        prevBenchmarks = [];
        curDocsCoverage = 0.0;
        prevDocsCoverage = 0.0;
      };
      fileStats = { sourceFiles = 0; sourceSize = 0 };
      testStats = { passed = 0; passedNames = [] };
      benchmarks = [];
      dependents = [];
      deps = [];
      devDeps = [];
      downloadTrend = [];
      versionHistory = [];
      versions = [version];
      highestVersion = version;
      depAlias = name;
      dependentsCount = 0;
      docsCoverage = 0.0;
      downloadsInLast30Days = 0;
      downloadsInLast7Days = 0;
      downloadsTotal = 0;
    };
  };

  public func getFileHashesByPackageIds(ids : [Text]) : async [(Text, [(Text, Blob)])] {
    Array.map<Text, (Text, [(Text, Blob)])>(
      ids,
      func id {
        let files = switch (Map.get(packages, Text.compare, id)) { case (?found) found; case null [] };
        (id, Array.map<File, (Text, Blob)>(files, func file = (id # "/" # file.path, file.hash)));
      },
    );
  };

  public query func getFileMeta(id : Text) : async Result<FileMeta> {
    switch (fileOf id) {
      case (?file) #ok { id; path = file.path; chunkCount = 1; owners = [] };
      case null #err("File '" # id # "' not found");
    };
  };

  public query func downloadChunk(id : Text, _index : Nat) : async Result<Blob> {
    switch (fileOf id) {
      case (?file) #ok(file.content);
      case null #err("File '" # id # "' not found");
    };
  };

  public func notifyInstalls(_ids : [(Text, Text)]) : () { installs += 1 };
};
